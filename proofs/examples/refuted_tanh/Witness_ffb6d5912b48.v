(* The proof of what the problem file of the same name states.                                    *)

From Coq Require Import List ZArith QArith Qreals Reals.
From Identcert Require Import Network Ring Rational Actions Activations
  ActivationFacts Classes RealRefutation Algebraic Balls.
Require Import Problem_ffb6d5912b48.
Import ListNotations.
Local Open Scope Z_scope.

Definition point : list Q := [(13 # 16)%Q; (-9 # 16)%Q].
Definition distance : Q := (75 # 2048)%Q.

Definition balls (prec : F.precision) : list ball :=
  [tanh_ball prec; identity_ball].
Definition names : list nat := [0; 0; 1]%nat.

Theorem gap_is_there :
  (gap Q2R net (rho_in g_r) (rho_out g_r) (map Q2R point) 1 >= Q2R distance)%R.
Proof.
apply (some_gap_sound _ _ quotient quotient_inside balls names net
  (fun prec => eq_refl) [48; 96; 272; 544; 1088]%positive).
vm_cast_no_check (eq_refl true).
Qed.

Theorem proof : ~ equivariant.
Proof.
intros claim.
refine (gap_refutes _ Q2R generator rho_in rho_out net 2 g_r
  (map Q2R point) 1 distance eq_refl eq_refl gap_is_there claim).
Qed.

Print Assumptions proof.
