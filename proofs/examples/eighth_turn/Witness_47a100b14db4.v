(* The proof of what the problem file of the same name states.                                    *)

From Coq Require Import List ZArith QArith Qreals Reals.
From Identcert Require Import Network Ring Rational Actions Activations
  Polynomial NumberField ActivationFacts Classes Algebraic
  Law Latents Reduction Certificate Theorems.
Require Import Problem_47a100b14db4.
Import ListNotations.
Local Open Scope Z_scope.

Definition reals alpha (alpha_root : root_in minimal root_low root_high alpha) : real_coefficients :=
  algebraic_real minimal root_low root_high alpha eq_refl alpha_root.

Definition classes (k : real_coefficients) : list (class (@value k)) :=
  [tanh_class k; identity_class k].
Definition names : list nat := [0; 1]%nat.

Definition steps : list (step K) := [].

Definition latents (g : generator) : list (list (nat * K)) :=
  match g with
  | g_r => [scaling_by K [3; 0; 1; 2]%nat [[(-1)%Q; 0%Q]; [1%Q; 0%Q]; [1%Q; 0%Q]; [1%Q; 0%Q]]]
  end.

Theorem proof : equivariant.
Proof.
intros alpha alpha_root.
refine (by_latents (reals alpha alpha_root) generator net rho_in rho_out 2
  (classes (reals alpha alpha_root)) names steps latents eq_refl _).
intros []; vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions proof.

Theorem layers : layer_by_layer.
Proof.
intros alpha alpha_root.
refine (layers_by_latents (reals alpha alpha_root) generator net rho_in rho_out
  (classes (reals alpha alpha_root)) names latents eq_refl _).
intros []; vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions layers.
