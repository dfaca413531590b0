(******************************************************************************)
(* Refutation by verified interval arithmetic (coq-interval, over the plain   *)
(* integers Z, so that no primitive number adds an axiom).                    *)
(*                                                                            *)
(*     inside i x == the real x lies in the interval i                        *)
(*           ball == an activation with an enclosure of its values            *)
(* some_gap enclose balls names net bits rho tau q j d == the gap at the      *)
(*                rational point q exceeds d, computed with some of the bits  *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List ZArith QArith Qreals Reals Lra.
From Interval Require Import Float.Specific_ops Float.Specific_stdz Interval.Float
  Interval.Float_full Interval.Interval Real.Xreal Float.Basic.
From Identcert Require Import Network Ring Rational Polynomial Activations ActivationFacts
  Evaluation RealRefutation Algebraic.
Import ListNotations.
Module F := SpecificFloat StdZRadix2.
Module I := FloatIntervalFull F.
Open Scope R_scope.

Definition inside (i : I.type) (x : R) : Prop := contains (I.convert i) (Xreal x).

Section Enclosures.
Variable prec : F.precision.
Definition int z : I.type := I.fromZ prec z.
Definition quotient (q : Q) : I.type := I.div prec (int (Qnum q)) (int (Zpos (Qden q))).
Definition I_signature : signature := Signature I.type (int 0) (I.add prec) (I.mul prec).
Definition encloses (f : I.type -> I.type) (sigma : R -> R) := forall i x, inside i x -> inside (f i) (sigma x).

Lemma int_inside z : inside (int z) (IZR z).
Proof. exact: I.fromZ_correct. Qed.

Lemma add_inside i x k y : inside i x -> inside k y -> inside (I.add prec i k) (x + y).
Proof. exact: (I.add_correct prec i k (Xreal x) (Xreal y)). Qed.

Lemma sub_inside i x k y : inside i x -> inside k y -> inside (I.sub prec i k) (x - y).
Proof. exact: (I.sub_correct prec i k (Xreal x) (Xreal y)). Qed.

Lemma mul_inside i x k y : inside i x -> inside k y -> inside (I.mul prec i k) (x * y).
Proof. exact: (I.mul_correct prec i k (Xreal x) (Xreal y)). Qed.

Lemma neg_inside i x : inside i x -> inside (I.neg i) (- x).
Proof. exact: (I.neg_correct i (Xreal x)). Qed.

Lemma abs_inside i x : inside i x -> inside (I.abs i) (Rabs x).
Proof. exact: (I.abs_correct i (Xreal x)). Qed.

Lemma exp_inside i x : inside i x -> inside (I.exp prec i) (exp x).
Proof. exact: (I.exp_correct prec i (Xreal x)). Qed.

Lemma sin_inside i x : inside i x -> inside (I.sin prec i) (sin x).
Proof. exact: (I.sin_correct prec i (Xreal x)). Qed.

Lemma atan_inside i x : inside i x -> inside (I.atan prec i) (atan x).
Proof. exact: (I.atan_correct prec i (Xreal x)). Qed.

Lemma div_inside i x k y : y <> 0 -> inside i x -> inside k y -> inside (I.div prec i k) (x / y).
Proof.
move=> y_neq0 in_x in_y; have := I.div_correct prec i k (Xreal x) (Xreal y) in_x in_y.
by rewrite /Xdiv /= /Xdiv' is_zero_false.
Qed.

Lemma ln_inside i x : 0 < x -> inside i x -> inside (I.ln prec i) (ln x).
Proof.
move=> x_gt0 in_x; have := I.ln_correct prec i (Xreal x) in_x.
by rewrite /Xln /= /Xln' is_positive_true.
Qed.

Lemma quotient_inside q : inside (quotient q) (Q2R q).
Proof. by apply: div_inside; [apply: not_0_IZR | apply: int_inside | apply: int_inside]. Qed.

Lemma I_related : related (D := I_signature) (A := R_signature) inside.
Proof. by split=> [|d a e b|d a e b]; [apply: int_inside | apply: add_inside | apply: mul_inside]. Qed.

Definition one_plus i := I.add prec (int 1) i.
Definition half i := I.div prec i (int 2).
Lemma half_inside i x : inside i x -> inside (half i) (x / 2).
Proof. by move=> in_x; apply: div_inside; [lra | | apply: int_inside]. Qed.

Definition itanh i := I.sub prec (int 1) (I.div prec (int 2) (one_plus (I.exp prec (I.mul prec (int 2) i)))).
Lemma itanhP : encloses itanh tanh.
Proof.
move=> i x in_x; have -> : tanh x = 1 - 2 / (1 + exp (2 * x)).
  rewrite /tanh /sinh /cosh; have -> : 2 * x = x + x by ring.
  rewrite exp_plus exp_Ropp; have x_gt0 := exp_pos x; have := Rmult_lt_0_compat _ _ x_gt0 x_gt0.
  by move=> xx_gt0; field; repeat split; lra.
have := exp_pos (2 * x); move=> e_gt0.
apply: sub_inside; first exact: int_inside.
apply: div_inside; [lra | exact: int_inside | apply: add_inside; first exact: int_inside].
by apply/exp_inside/mul_inside => //; apply: int_inside.
Qed.

Definition ilogistic i := I.div prec (int 1) (one_plus (I.exp prec (I.neg i))).
Lemma ilogisticP : encloses ilogistic logistic.
Proof.
move=> i x in_x; have := exp_pos (- x) => e_gt0.
have -> : logistic x = 1 / (1 + exp (- x)) by rewrite /logistic; field; lra.
apply: div_inside; [lra | exact: int_inside | apply: add_inside; first exact: int_inside].
exact/exp_inside/neg_inside.
Qed.

Definition isoftplus i := I.ln prec (one_plus (I.exp prec i)).
Lemma isoftplusP : encloses isoftplus softplus.
Proof.
move=> i x in_x; have := exp_pos x => e_gt0; apply: ln_inside; first by lra.
by apply: add_inside; [apply: int_inside | apply: exp_inside].
Qed.

Definition isilu i := I.mul prec i (ilogistic i).
Lemma isiluP : encloses isilu silu.
Proof. by move=> i x in_x; apply: mul_inside => //; apply: ilogisticP. Qed.

Definition irelu i := half (I.add prec i (I.abs i)).
Lemma irelu_of i x : inside i x -> inside (irelu i) (Rmax 0 x).
Proof.
move=> in_x; have -> : Rmax 0 x = (x + Rabs x) / 2.
  by rewrite /Rmax /Rabs; case: Rle_dec => ?; case: Rcase_abs => ?; lra.
exact/half_inside/add_inside/abs_inside.
Qed.
Lemma ireluP : encloses irelu relu. Proof. exact: irelu_of. Qed.

Definition ileaky_relu s i := I.add prec (irelu i) (I.mul prec (quotient s) (I.sub prec i (irelu i))).
Lemma ileaky_reluP s : encloses (ileaky_relu s) (leaky_relu s).
Proof.
move=> i x in_x; have -> : leaky_relu s x = Rmax 0 x + Q2R s * (x - Rmax 0 x).
  have -> : x - Rmax 0 x = Rmin 0 x by rewrite /Rmax /Rmin; case: Rle_dec => ?; lra.
  by [].
apply: add_inside; first exact: irelu_of.
by apply: mul_inside; [apply: quotient_inside | apply: sub_inside => //; apply: irelu_of].
Qed.

Definition ielu i := I.add prec (irelu i) (I.sub prec (I.exp prec (I.sub prec i (irelu i))) (int 1)).
Lemma ieluP : encloses ielu elu.
Proof.
move=> i x in_x; have -> : elu x = Rmax 0 x + (exp (x - Rmax 0 x) - 1).
  rewrite /elu /Rmax; case: Rle_dec => ?; last by rewrite Rminus_0_r; lra.
  by rewrite Rminus_eq_0 exp_0; lra.
apply: add_inside; first exact: irelu_of.
apply: sub_inside; last exact: int_inside.
by apply/exp_inside/sub_inside => //; apply: irelu_of.
Qed.

Definition ihard_tanh i := half (I.sub prec (I.abs (I.add prec i (int 1))) (I.abs (I.sub prec i (int 1)))).
Lemma ihard_tanhP : encloses ihard_tanh hard_tanh.
Proof.
move=> i x in_x; have -> : hard_tanh x = (Rabs (x + 1) - Rabs (x - 1)) / 2.
  rewrite /hard_tanh /Rmin /Rmax; case: (Rle_dec 1 x) => ?; case: Rle_dec => ?;
    by rewrite /Rabs; do 2 case: Rcase_abs => ?; lra.
by apply/half_inside/sub_inside; apply: abs_inside; [apply: add_inside | apply: sub_inside] => //;
  apply: int_inside.
Qed.

Definition irelu6 i := half (I.add prec (I.sub prec (I.abs i) (I.abs (I.sub prec i (int 6)))) (int 6)).
Lemma irelu6P : encloses irelu6 relu6.
Proof.
move=> i x in_x; have -> : relu6 x = (Rabs x - Rabs (x - 6) + 6) / 2.
  rewrite /relu6 /Rmin /Rmax; case: (Rle_dec 6 x) => ?; case: Rle_dec => ?;
    by rewrite /Rabs; do 2 case: Rcase_abs => ?; lra.
apply/half_inside/add_inside; last exact: int_inside.
apply: sub_inside; first exact: abs_inside.
by apply/abs_inside/sub_inside => //; apply: int_inside.
Qed.

Definition ipolynomial (p : list Q) (i : I.type) : I.type := horner (A := I_signature) quotient i p.
Lemma ipolynomialP p : encloses (ipolynomial p) (polynomial p).
Proof.
move=> i x in_x; elim: p => [|c p IHp]; first exact: int_inside.
by apply: add_inside; [apply: quotient_inside | apply: mul_inside].
Qed.

Definition ipower r i := ipolynomial (repeat 0%Q r ++ [1%Q]) i.
Lemma ipowerP r : encloses (ipower r) (fun t => t ^ r).
Proof. by move=> i x in_x; rewrite power_horner; apply: ipolynomialP. Qed.

Record ball := Ball { function : R -> R; enclosure : I.type -> I.type; ballP : encloses enclosure function }.
Definition tanh_ball := Ball _ _ itanhP.
Definition logistic_ball := Ball _ _ ilogisticP.
Definition softplus_ball := Ball _ _ isoftplusP.
Definition silu_ball := Ball _ _ isiluP.
Definition elu_ball := Ball _ _ ieluP.
Definition sin_ball := Ball _ _ sin_inside.
Definition arctan_ball := Ball _ _ atan_inside.
Definition abs_ball := Ball _ _ abs_inside.
Definition relu_ball := Ball _ _ ireluP.
Definition leaky_relu_ball s := Ball _ _ (ileaky_reluP s).
Definition hard_tanh_ball := Ball _ _ ihard_tanhP.
Definition relu6_ball := Ball _ _ irelu6P.
Definition polynomial_ball p := Ball _ _ (ipolynomialP p).
Definition power_ball r := Ball _ _ (ipowerP r).
Lemma identity_inside : encloses (fun i => i) identity. Proof. by []. Qed.
Definition identity_ball := Ball _ _ identity_inside.

(* coefficients that can be enclosed *)
Variables (C : Type) (v : C -> R) (enclose : C -> I.type).
Hypothesis enclose_inside : forall c, inside (enclose c) (v c).
Variables (balls : list ball) (names : list nat) (net : list (layer C R)).
Definition ball_at n := nth n balls identity_ball.
Hypothesis def_activations : map activation net = map (fun n => function (ball_at n)) names.

Definition above0 i := if I.sign_strict i is Xgt then true else false.
Definition below0 i := if I.sign_strict i is Xlt then true else false.
Lemma above0P i : above0 i -> forall x, inside i x -> 0 < x.
Proof.
rewrite /above0; have := I.sign_strict_correct i; case: I.sign_strict => // + _ x in_x.
by case/(_ _ in_x).
Qed.
Lemma below0P i : below0 i -> forall x, inside i x -> x < 0.
Proof.
rewrite /below0; have := I.sign_strict_correct i; case: I.sign_strict => // + _ x in_x.
by case/(_ _ in_x).
Qed.

Definition ball_network (y : list I.type) : list I.type :=
  network (A := I_signature) enclose (with_activations (map (fun n => enclosure (ball_at n)) names) net) y.
Definition ball_difference (rho tau : action C) (q : list Q) (j : nat) : I.type :=
  let y := map quotient q in
  I.sub prec
    (nth j (ball_network (apply (A := I_signature) enclose rho y)) (int 0))
    (nth j (apply (A := I_signature) enclose tau (ball_network y)) (int 0)).
Definition ball_gap (rho tau : action C) (q : list Q) (j : nat) (d : Q) : bool :=
  let i := ball_difference rho tau q j in
  above0 (I.sub prec i (quotient d)) || below0 (I.add prec i (quotient d)).

Lemma ball_network_inside y x : Forall2 inside y x -> Forall2 inside (ball_network y) (network v net x).
Proof.
apply: (network_related _ _ _ _ _ _ I_related enclose_inside); rewrite def_activations.
by elim: names => //= n ns IHns; constructor=> //; apply: ballP.
Qed.

Theorem ball_gap_sound rho tau q j d : ball_gap rho tau q j d = true ->
  gap v net rho tau (map Q2R q) j >= Q2R d.
Proof.
rewrite /ball_gap /gap; set i := ball_difference rho tau q j.
have rel_q : Forall2 inside (map quotient q) (map Q2R q).
  by elim: q {i} => //= c q IHq; constructor=> //; apply: quotient_inside.
have rel_apply := apply_related _ _ _ _ _ _ I_related enclose_inside.
have in_i := sub_inside _ _ _ _
  (nth_related _ _ _ I_related j _ _ (ball_network_inside _ _ (rel_apply rho _ _ rel_q)))
  (nth_related _ _ _ I_related j _ _ (rel_apply tau _ _ (ball_network_inside _ _ rel_q))).
move: in_i; rewrite -/(ball_difference rho tau q j) -/i /=; set x := (_ - _)%R => in_i.
have in_sub := sub_inside _ _ _ _ in_i (quotient_inside d).
have in_add := add_inside _ _ _ _ in_i (quotient_inside d).
case/orP=> [/above0P /(_ _ in_sub)|/below0P /(_ _ in_add)] sgn.
  by have := Rle_abs x; lra.
by have := Rle_abs (- x); rewrite Rabs_Ropp; lra.
Qed.
End Enclosures.

(* at the first of some precisions that suffices *)
Section Precisions.
Variables (C : Type) (v : C -> R) (enclose : F.precision -> C -> I.type).
Hypothesis enclose_inside : forall prec c, inside (enclose prec c) (v c).
Variables (balls : F.precision -> list ball) (names : list nat) (net : list (layer C R)).
Hypothesis def_activations :
  forall prec, map activation net = map (fun n => function (ball_at (balls prec) n)) names.

Fixpoint some_gap (bits : list positive) (rho tau : action C) (q : list Q) (j : nat) (d : Q) : bool :=
  if bits is b :: bits then
    let prec := F.PtoP b in
    if ball_gap prec C (enclose prec) (balls prec) names net rho tau q j d then true
    else some_gap bits rho tau q j d
  else false.

Theorem some_gap_sound bits rho tau q j d : some_gap bits rho tau q j d = true ->
  gap v net rho tau (map Q2R q) j >= Q2R d.
Proof.
elim: bits => //= b bits IHbits; case: ifP => // gap_at_b _.
exact: (ball_gap_sound _ _ _ _ (enclose_inside _) _ _ _ (def_activations _) _ _ _ _ _ gap_at_b).
Qed.
End Precisions.

(* a number of Q(alpha), by an enclosure of alpha *)
Definition enclose_root (low high : Q) prec (c : list Q) : I.type :=
  ipolynomial prec c (I.join (quotient prec low) (quotient prec high)).
Lemma enclose_root_inside m low high alpha : root_in m low high alpha ->
  forall prec c, inside (enclose_root low high prec c) (at_root alpha c).
Proof.
move=> [in_lh _] prec c; apply: ipolynomialP; set i := I.join _ _.
apply: (contains_connected (I.convert i) _ _ _ _ _ in_lh); apply: I.join_correct.
  by left; apply: quotient_inside.
by right; apply: quotient_inside.
Qed.
