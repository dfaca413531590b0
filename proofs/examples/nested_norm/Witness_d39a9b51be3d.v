(* The proof of what the problem file of the same name states.                                    *)

From Coq Require Import List ZArith QArith Qreals Reals.
From Identcert Require Import Network Ring Rational Actions Activations
  Law ActivationFacts Classes Latents Reduction Certificate Theorems Formal.
Require Import Problem_d39a9b51be3d.
Import ListNotations.
Local Open Scope Z_scope.

(* That the reduced parameter has no latents is checked by the Python checker alone.              *)

Definition classes (k : real_coefficients) : list (class (@value k)) :=
  [power_class k 2; tanh_class k; relu_class k; elu_class k; identity_class k].
Definition names : list nat := [0; 1; 2; 3; 4]%nat.

Theorem proof : equivariant.
Proof.
refine (by_formal_values Q_real generator net rho_in rho_out 2
  (classes Q_real) names eq_refl _).
intros []; vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions proof.
