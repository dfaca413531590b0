(* must fail: has type true = true while it is expected to have type shaped 2 net = true *)
(* The second row is too short: a problem file says so before anything is claimed. Control: examples/norm. *)

From Coq Require Import List ZArith QArith Qreals Reals.
From Identcert Require Import Network Ring Rational Actions Activations.
Import ListNotations.
Local Open Scope Z_scope.

Definition net : list (layer Q R) :=
  [Layer (over 1 [[1; 0]; [1]]) (over1 1 [0; 0]) tanh; Layer (over 1 [[1; 1]]) (over1 1 [0]) identity].
Fact net_is_shaped : shaped 2 net = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
