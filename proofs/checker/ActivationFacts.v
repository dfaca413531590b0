(******************************************************************************)
(* Facts on the activations: parity, reflections, scalings, and their values  *)
(* at rational points.                                                        *)
(*                                                                            *)
(*  Q2R_evaluation == rational coefficients are real numbers                  *)
(*           odd s == s (- t) = - s t                                         *)
(* qrelu, qelu ... == relu, elu ... on rational numbers                       *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Reals QArith Qreals Qminmax Qabs Lra.
From Identcert Require Import Network Ring Rational Law Polynomial Activations.
Import ListNotations.
Open Scope R_scope.

Lemma Q2R0 : Q2R 0 = 0. Proof. by rewrite /Q2R /=; lra. Qed.
Lemma Q2R1 : Q2R 1 = 1. Proof. by rewrite /Q2R /=; lra. Qed.
Lemma Q2R_inject z : Q2R (inject_Z z) = IZR z. Proof. by rewrite /Q2R /=; lra. Qed.
Definition Q2RN1 := Q2R_inject (-1).

Lemma Q2R_evaluation : evaluation R_ring Q_arithmetic Q2R.
Proof.
apply: rational_evaluation => [a b|||a b|a b]; [exact: Qeq_eqR | exact: Q2R0 | exact: Q2R1 |
  exact: Q2R_plus | exact: Q2R_mult].
Qed.

Lemma Q2R_max a b : Q2R (Qmax a b) = Rmax (Q2R a) (Q2R b).
Proof.
case: (Q.max_spec a b) => -[le_ab /Qeq_eqR ->].
  by rewrite Rmax_right //; apply: Qle_Rle; apply: Qlt_le_weak.
by rewrite Rmax_left //; apply: Qle_Rle.
Qed.

Lemma Q2R_min a b : Q2R (Qmin a b) = Rmin (Q2R a) (Q2R b).
Proof.
case: (Q.min_spec a b) => -[le_ab /Qeq_eqR ->].
  by rewrite Rmin_left //; apply: Qle_Rle; apply: Qlt_le_weak.
by rewrite Rmin_right //; apply: Qle_Rle.
Qed.

Lemma Q2R_abs a : Q2R (Qabs a) = Rabs (Q2R a).
Proof.
case: (Qlt_le_dec a 0) => [lt_a0|le_0a].
  rewrite (Qeq_eqR _ _ (Qabs_neg _ (Qlt_le_weak _ _ lt_a0))) Q2R_opp Rabs_left //.
  by rewrite -Q2R0; apply: Qlt_Rlt.
rewrite (Qeq_eqR _ _ (Qabs_pos _ le_0a)) Rabs_right //.
by rewrite -Q2R0; apply/Rle_ge/Qle_Rle.
Qed.

Definition qrelu (c : Q) := Qmax 0 c.
Definition qleaky_relu (s c : Q) := qadd (Qmax 0 c) (qmul s (Qmin 0 c)).
Definition qhard_tanh (c : Q) := Qmax (-1) (Qmin 1 c).
Definition qrelu6 (c : Q) := Qmax 0 (Qmin 6 c).

Lemma relu_rational c : relu (Q2R c) = Q2R (qrelu c).
Proof. by rewrite Q2R_max Q2R0. Qed.
Lemma leaky_relu_rational s c : leaky_relu s (Q2R c) = Q2R (qleaky_relu s c).
Proof.
by rewrite (evalD Q2R_evaluation) (evalM Q2R_evaluation) Q2R_max Q2R_min Q2R0.
Qed.
Lemma hard_tanh_rational c : hard_tanh (Q2R c) = Q2R (qhard_tanh c).
Proof. by rewrite Q2R_max Q2R_min (Q2R_inject 1) (Q2R_inject (-1)). Qed.
Lemma relu6_rational c : relu6 (Q2R c) = Q2R (qrelu6 c).
Proof. by rewrite Q2R_max Q2R_min Q2R0 (Q2R_inject 6). Qed.

Definition qpositive (c : Q) := negb (Qle_bool c 0).
Definition qnegative (c : Q) := negb (Qle_bool 0 c).
Lemma qpositiveP c : qpositive c -> 0 < Q2R c.
Proof.
move=> pos; rewrite -Q2R0; apply/Qlt_Rlt/Qnot_le_lt => /Qle_bool_iff le_c0.
by rewrite /qpositive le_c0 in pos.
Qed.

Lemma tanhN t : tanh (- t) = - tanh t.
Proof. by rewrite /tanh /sinh /cosh Ropp_involutive (Rplus_comm (exp (- t))) /Rdiv; ring. Qed.

Lemma logisticN t : logistic (- t) = 1 - logistic t.
Proof.
rewrite /logistic Ropp_involutive exp_Ropp; have t_gt0 := exp_pos t; field.
by split; lra.
Qed.

Definition odd (sigma : R -> R) := forall t, sigma (- t) = - sigma t.

Lemma tanh_odd : odd tanh.
Proof.
by move=> t; rewrite /tanh /sinh /cosh Ropp_involutive (Rplus_comm (exp (- t))) /Rdiv; ring.
Qed.

Lemma hard_tanh_odd : odd hard_tanh.
Proof.
move=> t; rewrite /hard_tanh /Rmax /Rmin.
by case: (Rle_dec 1 (- t)); case: (Rle_dec 1 t) => ? ?; repeat case: Rle_dec => ?; lra.
Qed.

Lemma odd0 sigma : odd sigma -> sigma 0 = 0.
Proof. by move=> /(_ 0); rewrite Ropp_0; lra. Qed.

Lemma relu6_reflection t : relu6 (6 - t) = -1 * relu6 t + 6.
Proof.
rewrite /relu6 /Rmax /Rmin.
by case: (Rle_dec 6 (6 - t)); case: (Rle_dec 6 t) => ? ?; repeat case: Rle_dec => ?; lra.
Qed.

Lemma logistic_reflection t : logistic (0 - t) = -1 * logistic t + 1.
Proof.
rewrite /logistic Rminus_0_l Ropp_involutive exp_Ropp; have t_gt0 := exp_pos t; field.
by split; lra.
Qed.

Lemma logistic0 : logistic 0 = Q2R (1 # 2).
Proof. by rewrite /logistic Ropp_0 exp_0 /Q2R /=; lra. Qed.

Lemma silu0 : silu 0 = Q2R 0.
Proof. by rewrite /silu Q2R0; lra. Qed.

Lemma softplus_mirror t : softplus (- t) = softplus t + Q2R (-1) * t.
Proof.
have t_gt0 := exp_pos t; have Nt_gt0 := exp_pos (- t).
have -> : softplus t = ln (exp t * (1 + exp (- t))).
  by rewrite /softplus Rmult_plus_distr_l Rmult_1_r -exp_plus Rplus_opp_r exp_0 Rplus_comm.
by rewrite ln_mult ?ln_exp ?Q2RN1 /softplus; lra.
Qed.

Lemma silu_mirror t : silu (- t) = silu t + Q2R (-1) * t.
Proof.
rewrite /silu -[- t]Rminus_0_l logistic_reflection Q2RN1; ring.
Qed.

Lemma leaky_relu_mirror s t : leaky_relu s (- t) = leaky_relu s t + Q2R (- (1 + s)) * t.
Proof.
rewrite Q2R_opp Q2R_plus Q2R1 /leaky_relu.
have -> : Rmin 0 (- t) = - Rmax 0 t by rewrite /Rmin /Rmax; do 2 case: Rle_dec => ?; lra.
have -> : Rmin 0 t = t - Rmax 0 t by rewrite /Rmin /Rmax; case: Rle_dec => ?; lra.
have -> : Rmax 0 (- t) = Rmax 0 t - t by rewrite /Rmax; do 2 case: Rle_dec => ?; lra.
ring.
Qed.

Lemma relu_mirror t : relu (- t) = relu t + Q2R (-1) * t.
Proof. by rewrite Q2RN1 /relu /Rmax; do 2 case: Rle_dec => ?; lra. Qed.

Definition qelu (c : Q) := if Qle_bool 0 c then Some c else None.
Lemma elu_rational c d : qelu c = Some d -> elu (Q2R c) = Q2R d.
Proof.
rewrite /qelu /elu; case: ifP => // /Qle_bool_iff /Qle_Rle; rewrite Q2R0 => ge_0 [<-].
by case: Rle_dec.
Qed.

Lemma reluM a t : 0 < a -> relu (a * t) = a * relu t.
Proof. by move/Rlt_le => ge_a0; rewrite /relu -RmaxRmult // Rmult_0_r. Qed.

Lemma leaky_reluM s a t : 0 < a -> leaky_relu s (a * t) = a * leaky_relu s t.
Proof.
have leaky u : leaky_relu s u = relu u - Q2R s * relu (- u).
  have -> : relu (- u) = - Rmin 0 u by rewrite /relu /Rmax /Rmin; do 2 case: Rle_dec => ?; lra.
  by rewrite /leaky_relu /relu; ring.
by move=> pos; rewrite !leaky -Ropp_mult_distr_r_reverse !reluM //; ring.
Qed.

Lemma absM a t : 0 < a -> Rabs (a * t) = a * Rabs t.
Proof. by move=> /Rlt_le/Rabs_pos_eq pos; rewrite Rabs_mult pos. Qed.

Lemma power_horner r t : t ^ r = horner Q2R t (repeat 0%Q r ++ [1%Q]).
Proof. by elim: r => [|r IHr] /=; rewrite ?IHr ?Q2R0 ?Q2R1 /=; lra. Qed.
