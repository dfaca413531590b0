(* The proof of what the problem file of the same name states.                                    *)

From Coq Require Import List ZArith QArith Qreals Reals.
From Identcert Require Import Network Ring Rational Actions Activations
  Law ActivationFacts Classes Latents Reduction Certificate Theorems.
Require Import Problem_9a1264fcdb0b.
Import ListNotations.
Local Open Scope Z_scope.

Definition classes (k : real_coefficients) : list (class (@value k)) :=
  [power_class k 3; identity_class k].
Definition names : list nat := [0; 1]%nat.

Definition steps : list (step Q) := [].

Definition latents (g : generator) : list (list (nat * Q)) :=
  match g with
  | g_s => [scaling_by Q_arithmetic [1; 0; 2]%nat [1%Q; 1%Q; (-1)%Q]]
  end.

Theorem proof : equivariant.
Proof.
refine (by_latents Q_real generator net rho_in rho_out 2
  (classes Q_real) names steps latents eq_refl _).
intros []; vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions proof.

Theorem layers : layer_by_layer.
Proof.
refine (layers_by_latents Q_real generator net rho_in rho_out
  (classes Q_real) names latents eq_refl _).
intros []; vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions layers.
