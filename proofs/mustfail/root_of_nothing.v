(* must fail: while it is expected to have type Qle_bool *)
(* x^2 + 1 has no real root. Control: examples/eighth_turn. *)

From Coq Require Import List ZArith QArith Qreals Reals.
From Identcert Require Import Network Ring Rational Algebraic.
Import ListNotations.

Fact alpha_exists : exists alpha, root_in [1%Q; 0%Q; 1%Q] 0%Q 1%Q alpha.
Proof. exact (root_exists [1%Q; 0%Q; 1%Q] 0%Q 1%Q eq_refl). Qed.
