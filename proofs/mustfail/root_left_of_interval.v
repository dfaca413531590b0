(* must fail: has type true = true while it is expected to have type rootless *)
(* The root of 2 lies right of the short interval. Control: examples/refuted_root. *)

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

Definition near_low : Q := (14141 # 10000)%Q.
Definition near_high : Q := (14142 # 10000)%Q.
Lemma near_root alpha : root_in minimal root_low root_high alpha ->
  root_in minimal near_low near_high alpha.
Proof. apply (root_refined 20). vm_cast_no_check (eq_refl true). Qed.

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
