(* The proof of what the problem file of the same name states.                                    *)

From Coq Require Import List ZArith QArith Qreals Reals.
From Identcert Require Import Network Ring Rational Actions Activations
  Law ActivationFacts Classes Certificate Refutation RealRefutation.
Require Import Problem_fb468899fa23.
Import ListNotations.
Local Open Scope Z_scope.

Definition point : list Q := [(13 # 64)%Q; (-9 # 64)%Q].
Definition distance : Q := (376861457 # 524288)%Q.

Definition classes : list (class Q2R) :=
  [power_class Q_real 3; identity_class Q_real].
Definition names : list nat := [0; 1]%nat.

Theorem gap_is_there :
  (gap Q2R net (rho_in g_r) (rho_out g_r) (map Q2R point) 0 >= Q2R distance)%R.
Proof.
apply (exact_gap_sound classes names); [reflexivity |].
vm_cast_no_check (eq_refl true).
Qed.

Theorem proof : ~ equivariant.
Proof.
intros claim.
refine (gap_refutes _ Q2R generator rho_in rho_out net 2 g_r
  (map Q2R point) 0 distance eq_refl eq_refl gap_is_there claim).
Qed.

Print Assumptions proof.
