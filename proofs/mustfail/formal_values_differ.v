(* must fail: has type true = true while it is expected to have type formal_check *)
(* The network of cubes is not equivariant, so both sides expand differently. Control: examples/norm. *)

From Coq Require Import List ZArith QArith Qreals Reals.
From Identcert Require Import Network Ring Rational Actions Activations
  Law ActivationFacts Classes Latents Reduction Certificate Theorems Formal.
Require Import Problem_fb468899fa23.
Import ListNotations.
Local Open Scope Z_scope.

(* That the reduced parameter has no latents is checked by the Python checker alone.              *)

Definition classes (k : real_coefficients) : list (class (@value k)) :=
  [power_class k 3; identity_class k].
Definition names : list nat := [0; 1]%nat.

Theorem proof : equivariant.
Proof.
refine (by_formal_values Q_real generator net rho_in rho_out 2
  (classes Q_real) names eq_refl _).
intros []; vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions proof.
