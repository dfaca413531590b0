(* The same claim over every commutative Q-algebra A and for every odd function sigma on A, *)
(* without an axiom: the quarter turn and a reflection of the plane, widths 2 - 4 - 2.      *)

From Coq Require Import List ZArith QArith.
From Identcert Require Import Network Ring Rational Actions Law Algebra.
Import ListNotations.
Local Open Scope Z_scope.

Definition W0 : list (list Q) := over 4 [[-3; -3]; [3; -3]; [3; 3]; [-3; 3]].
Definition b0 : list Q := over1 4 [-1; -1; -1; -1].
Definition W1 : list (list Q) := over 16 [[-7; 7; 7; -7]; [-7; -7; 7; 7]].
Definition b1 : list Q := over1 16 [0; 0].

Definition net (A : algebra) (sigma : A -> A) : list (layer Q A) :=
  [Layer W0 b0 sigma; Layer W1 b1 id].

Inductive generator := g_r | g_s.

Definition rho (g : generator) : action Q :=
  match g with
  | g_r => signed Q_arithmetic [1; 0]%nat [-1; 1]
  | g_s => signed Q_arithmetic [0; 1]%nat [1; -1]
  end.

Definition latents (g : generator) : list (list (nat * Q)) :=
  match g with
  | g_r => [permuting Q_arithmetic [3; 0; 1; 2]%nat]
  | g_s => [permuting Q_arithmetic [3; 2; 1; 0]%nat]
  end.

Theorem proof : forall (A : algebra) (sigma : A -> A), odd_function A sigma ->
  forall (w : list generator) (x : list A),
  network (scalar A) (net A sigma) (word (scalar A) rho w x)
  = word (scalar A) rho w (network (scalar A) (net A sigma) x).
Proof.
intros A sigma sigma_odd.
refine (algebra_equivariant A generator (net A sigma) rho rho
  [any_odd A sigma sigma_odd; any_identity A] [0; 1]%nat [] latents eq_refl _).
intros []; vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions proof.
