(* The proof of what the problem file of the same name states.                                    *)

From Coq Require Import List ZArith QArith Qreals Reals.
From Identcert Require Import Network Ring Rational Actions Activations
  Polynomial NumberField ActivationFacts Classes Algebraic
  RealRefutation Balls.
Require Import Problem_697fab574670.
Import ListNotations.
Local Open Scope Z_scope.

Definition point : list Q := [1%Q; 0%Q].
Definition distance : Q := (41 # 100)%Q.

Definition balls (prec : F.precision) : list ball :=
  [relu_ball prec; identity_ball].
Definition names : list nat := [0; 1]%nat.

Definition near_low : Q := (0x16a09e667f3bcc908b2fb1366ea957d3e3adec17512775099da2f590b0667322a95f90608757145875163 # 0x1000000000000000000000000000000000000000000000000000000000000000000000000000000000000)%Q.
Definition near_high : Q := (0x5a827999fcef32422cbec4d9baa55f4f8eb7b05d449dd426768bd642c199cc8aa57e41821d5c5161d459 # 0x400000000000000000000000000000000000000000000000000000000000000000000000000000000000)%Q.
Lemma near_root alpha : root_in minimal root_low root_high alpha ->
  root_in minimal near_low near_high alpha.
Proof. apply (root_refined 720). vm_cast_no_check (eq_refl true). Qed.

Theorem gap_is_there alpha (alpha_root : root_in minimal root_low root_high alpha) :
  (gap (at_root alpha) net (rho_in g_s) (rho_out g_s) (map Q2R point) 0 >= Q2R distance)%R.
Proof.
apply (some_gap_sound _ _ (enclose_root near_low near_high) (enclose_root_inside minimal near_low near_high alpha (near_root alpha alpha_root)) balls names net
  (fun prec => eq_refl) [48; 80; 96; 160; 320]%positive).
vm_cast_no_check (eq_refl true).
Qed.

Theorem proof : ~ equivariant.
Proof.
intros claim. destruct alpha_exists as [alpha alpha_root].
refine (gap_refutes _ (at_root alpha) generator rho_in rho_out net 2 g_s
  (map Q2R point) 0 distance eq_refl eq_refl (gap_is_there alpha alpha_root) (claim alpha alpha_root)).
Qed.

Print Assumptions proof.
