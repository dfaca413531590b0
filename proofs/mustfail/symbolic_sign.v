(* must fail: has type true = true while it is expected to have type certificate *)
(* ReLU passes no factor of unknown sign, here a. Control: examples/symbolic_scale. *)

From Coq Require Import List ZArith QArith Qreals Reals.
From Identcert Require Import Network Ring Rational Actions Activations
  ActivationFacts Classes Parametric
  Law Latents Reduction Certificate Theorems.
Require Import Problem_cb33f50f35a3.
Import ListNotations.
Local Open Scope Z_scope.

Definition reals (p_a p_b : R) (defined : nonvanishing denominators [p_a; p_b]) :=
  fraction_real 2 denominators [p_a; p_b] defined.

Definition classes (k : real_coefficients) : list (class (@value k)) :=
  [relu_class k; power_class k 2; identity_class k].
Definition names : list nat := [0; 1; 2]%nat.

Definition steps : list (step K) := [].

Definition latents (g : generator) : list (list (nat * K)) :=
  match g with
  | g_s => [scaling_by K [1; 0]%nat [([[(1 # 2)%Q]], []%nat); ([[]; [1%Q]], []%nat)]; permuting K [0]%nat]
  end.

Theorem proof : equivariant.
Proof.
intros p_a p_b defined.
refine (by_latents (reals p_a p_b defined) generator net rho_in rho_out 2
  (classes (reals p_a p_b defined)) names steps latents eq_refl _).
intros []; vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions proof.

Theorem layers : layer_by_layer.
Proof.
intros p_a p_b defined.
refine (layers_by_latents (reals p_a p_b defined) generator net rho_in rho_out
  (classes (reals p_a p_b defined)) names latents eq_refl _).
intros []; vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions layers.
