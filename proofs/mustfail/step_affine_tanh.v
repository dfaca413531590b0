(* must fail: has type true = true while it is expected to have type certificate *)
(* tanh is folded as if it were affine. Control: examples/reduced_tanh. *)

From Coq Require Import List ZArith QArith Qreals Reals.
From Identcert Require Import Network Ring Rational Actions Activations
  Law ActivationFacts Classes Latents Reduction Certificate Theorems.
Require Import Problem_e38fb28e661b.
Import ListNotations.
Local Open Scope Z_scope.

Definition classes (k : real_coefficients) : list (class (@value k)) :=
  [tanh_class k; identity_class k].
Definition names : list nat := [0; 0; 1]%nat.

Definition steps : list (step Q) := [Affine 0; Drop 0 4; Fold 0 3; Merge 0 0 2 (-1)%Q; Drop 1 2; Merge 1 0 1 1%Q].

Definition latents (g : generator) : list (list (nat * Q)) :=
  match g with
  | g_s => [permuting Q_arithmetic [1; 0]%nat; permuting Q_arithmetic [0]%nat]
  end.

Theorem proof : equivariant.
Proof.
refine (by_latents Q_real generator net rho_in rho_out 2
  (classes Q_real) names steps latents eq_refl _).
intros []; vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions proof.
