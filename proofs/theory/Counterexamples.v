(******************************************************************************)
(* Two equivariant networks over the rationals that are not layerwise         *)
(* equivariant: the theorem fails without identifiability.                    *)
(*                                                                            *)
(* C0 == f (x, y) = x^2 + y^2, invariant under the reflection 1/5 (3 4; 4 -3) *)
(*       (the degree 2 is too low)                                            *)
(* C1 == f (x, y) = relu x + relu y + relu (- x - y), invariant under -1      *)
(*       (no neuron is inactive and no two rows are parallel)                 *)
(* C0, C1 == equivariant and not layerwise, whatever acts on the hidden space *)
(* C0_not_identifiable, C1_not_identifiable == by contraposition              *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm all_algebra.
From IdentcertTheory Require Import Model Layerwise MLP.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Shallow networks of widths 2, m, 1 with one activation, hidden neurons permuted. *)
Section Shallow.
Variables (m : nat) (sigma : rat -> rat) (W : 'M[rat]_(m, 2)).

Definition widths (i : nat) : nat := match i with 0 => 2 | 1 => m | _ => 1 end%N.
Definition activate i : 'cV[rat]_(widths i) -> 'cV[rat]_(widths i) :=
  if i == 1%N then map_mx sigma else id.
Definition permuted i : pred 'M[rat]_(widths i) := if i == 1%N then @is_perm_mx _ _ else predT.

Lemma permuted1 i : permuted (1%:M : 'M_(widths i)).
Proof. by rewrite /permuted; case: eqP => // _; apply: is_perm_mx1. Qed.

Lemma permutedM i (a b : 'M_(widths i)) : permuted a -> permuted b -> permuted (a *m b).
Proof. by rewrite /permuted; case: eqP => // _ perm_a; rewrite is_perm_mxMl. Qed.

Lemma permutedV i (a : 'M_(widths i)) : a \in unitmx -> permuted a -> permuted (invmx a).
Proof.
rewrite /permuted; case: eqP => // _ + /is_perm_mxP[p def_a]; rewrite def_a => unit_p.
have pP : perm_mx p *m perm_mx p^-1 = 1%:M :> 'M[rat]__ by rewrite -perm_mxM mulgV perm_mx1.
by rewrite -[invmx _]mulmx1 -pP mulKmx // perm_mx_is_perm.
Qed.

Lemma permuted_activate i (a : 'M_(widths i)) y : permuted a -> activate (a *m y) = a *m activate y.
Proof.
rewrite /permuted /activate; case: eqP => // _ /is_perm_mxP[p ->].
by rewrite -!row_permE map_row_perm.
Qed.

Definition shallow : model := mlp_model permuted1 permutedM permutedV permuted_activate.

Definition weights : params shallow :=
  fun i => match i return parameter rat_fieldType widths i with
           | 0%N => (W, 0) | 1%N => (const_mx 1, 0) | _ => (0, 0) end.

Definition hidden (x : 'cV[rat]_2) : 'cV[rat]_m := map_mx sigma (W *m x).

Lemma hiddenE x : f (weights 0%N) x = hidden x.
Proof. by rewrite /= /layer /= addr0. Qed.

Lemma net_shallow x : net 2 weights x = const_mx 1 *m hidden x.
Proof. by rewrite /= /layer /= !addr0. Qed.

(* the group of two elements, acting on inputs by an involution *)
Variable S : 'M[rat]_2.
Hypothesis SS : S *m S = 1%:M.

Lemma involution_ok (b : bool) : ((if b then S else 1%:M) \in unitmx) && true.
Proof. by case: b; rewrite andbT ?unitmx1 //; case/mulmx1_unit: SS. Qed.

Definition acts (g : 'S_2) : latent_group permuted1 permutedM permutedV 0 :=
  @latent _ widths permuted 0 _ (involution_ok (odd_perm g)).
Definition trivially (g : 'S_2) : latent_group permuted1 permutedM permutedV 2 := gone.

Lemma actsM : hom acts.
Proof.
move=> g h; apply: val_inj; rewrite /= odd_permM.
by case: (odd_perm g) (odd_perm h) => -[]; rewrite /= ?mulmx1 ?mul1mx // SS.
Qed.

Lemma triviallyM : hom trivially.
Proof. by move=> g h; rewrite gmul1. Qed.

Definition flip : 'S_2 := tperm 0 1.
Lemma acts_flip : val (acts flip) = S.
Proof. by rewrite /= odd_tperm. Qed.

Hypothesis invariant : forall x, const_mx 1 *m hidden (S *m x) = const_mx 1 *m hidden x :> 'cV_1.
Variables x y : 'cV[rat]_2.
Hypothesis equal_before : hidden x = hidden y.
Hypothesis different_after : hidden (S *m x) <> hidden (S *m y).

Theorem no_latent_action (k : 'cV[rat]_m -> 'cV[rat]_m) : ~ forall z, hidden (S *m z) = k (hidden z).
Proof. by move=> kP; apply: different_after; rewrite !kP equal_before. Qed.

Theorem shallow_counterexample : equivariant weights acts trivially /\ ~ layerwise weights acts trivially.
Proof.
split=> [g z|].
  rewrite [RHS](@act1 shallow 2) !net_shallow; rewrite /act /=.
  by case: (odd_perm g); rewrite ?mul1mx // invariant.
apply: (@collision_not_layerwise shallow 2 weights _ acts trivially flip x y) => //;
  rewrite !hiddenE //.
by rewrite /act /= odd_tperm.
Qed.

Theorem shallow_not_identifiable : ~ (identifiable 2 weights /\ trivial_stabiliser 2 weights).
Proof.
case=> ident stab; have [equiv no_layers] := shallow_counterexample.
exact: no_layers (@equivariant_layerwise shallow 2 weights _ acts trivially isT
  actsM triviallyM ident stab equiv).
Qed.
End Shallow.

Definition column2 (a b : rat) : 'cV[rat]_2 := \col_i (if i == 0 then a else b).

(* C0: the square, W = 1, and a reflection *)
Definition square (t : rat) := t ^+ 2.
Definition reflection : 'M[rat]_2 :=
  \matrix_(i, j) (if i == j then if i == 0 then 3%:Q / 5%:Q else - 3%:Q / 5%:Q else 4%:Q / 5%:Q).

Lemma reflection_involution : reflection *m reflection = 1%:M.
Proof.
by apply/matrixP=> -[[|[|//]] ?] [[|[|//]] ?]; rewrite !mxE !big_ord_recl big_ord0 !mxE /=;
  apply/eqP; vm_compute.
Qed.

Lemma reflection_symmetric : reflection^T = reflection.
Proof. by apply/matrixP=> i j; rewrite !mxE eq_sym; case: eqVneq => // ->. Qed.

Lemma sum_of_squares (z : 'cV[rat]_2) : const_mx 1 *m map_mx square z = z^T *m z :> 'cV_1.
Proof. by apply/matrixP=> i j; rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE mul1r !ord1. Qed.

Lemma C0_invariant x :
  const_mx 1 *m hidden square 1%:M (reflection *m x) = const_mx 1 *m hidden square 1%:M x :> 'cV_1.
Proof.
rewrite /hidden !mul1mx !sum_of_squares trmx_mul reflection_symmetric.
by rewrite -mulmxA [reflection *m _]mulmxA reflection_involution mul1mx.
Qed.

Lemma C0_equal : hidden square 1%:M (column2 1 1) = hidden square 1%:M (column2 1 (-1)).
Proof.
by rewrite /hidden !mul1mx; apply/matrixP=> -[[|[|//]] ?] ?; rewrite !mxE /=; apply/eqP; vm_compute.
Qed.

Lemma C0_different :
  hidden square 1%:M (reflection *m column2 1 1) <> hidden square 1%:M (reflection *m column2 1 (-1)).
Proof.
rewrite /hidden !mul1mx => /(congr1 (fun h : 'cV_2 => h 0 0)).
by rewrite !mxE !big_ord_recl !big_ord0 !mxE /= => /eqP; vm_compute.
Qed.

Definition C0 := shallow_counterexample reflection_involution C0_invariant C0_equal C0_different.
Definition C0_not_identifiable :=
  shallow_not_identifiable reflection_involution C0_invariant C0_equal C0_different.

(* C1: the rectifier, rows that sum to zero, and -1 *)
Definition relu (t : rat) := if 0 <= t then t else 0.
Definition rows3 : 'M[rat]_(3, 2) :=
  \matrix_(i, j) (if i == 2%:R then -1 else if i == j :> nat then 1 else 0).

Lemma reluN t : relu (- t) = relu t - t.
Proof. by rewrite /relu oppr_ge0; case: (ltrgt0P t) => [_|_|->]; rewrite ?subrr ?sub0r ?oppr0. Qed.

Lemma opposite_involution : (-1)%:M *m (-1)%:M = 1%:M :> 'M[rat]_2.
Proof. by rewrite -scalar_mxM mulrNN mul1r. Qed.

Lemma rows3_sum : const_mx 1 *m rows3 = 0 :> 'M[rat]_(1, 2).
Proof.
by apply/matrixP=> ? -[[|[|//]] ?]; rewrite !mxE !big_ord_recl big_ord0 !mxE /=; apply/eqP; vm_compute.
Qed.

Lemma C1_invariant x :
  const_mx 1 *m hidden relu rows3 ((-1)%:M *m x) = const_mx 1 *m hidden relu rows3 x :> 'cV_1.
Proof.
have -> : hidden relu rows3 ((-1)%:M *m x) = hidden relu rows3 x - rows3 *m x.
  rewrite /hidden mul_scalar_mx scaleN1r mulmxN.
  by apply/matrixP=> i j; rewrite !mxE reluN.
by rewrite mulmxBr mulmxA rows3_sum mul0mx subr0.
Qed.

Definition C1_x : 'cV[rat]_2 := column2 1 (- 1 / 2%:Q).
Definition C1_y : 'cV[rat]_2 := column2 1 (- 1 / 3%:Q).

Lemma C1_equal : hidden relu rows3 C1_x = hidden relu rows3 C1_y.
Proof.
by apply/matrixP=> -[[|[|[|//]]] ?] ?; rewrite !mxE !big_ord_recl !big_ord0 !mxE /=;
  apply/eqP; vm_compute.
Qed.

Lemma C1_different : hidden relu rows3 ((-1)%:M *m C1_x) <> hidden relu rows3 ((-1)%:M *m C1_y).
Proof.
rewrite !mul_scalar_mx !scaleN1r => /(congr1 (fun h : 'cV_3 => h 1 0)).
by rewrite !mxE !big_ord_recl !big_ord0 !mxE /= => /eqP; vm_compute.
Qed.

Definition C1 := shallow_counterexample opposite_involution C1_invariant C1_equal C1_different.
Definition C1_not_identifiable :=
  shallow_not_identifiable opposite_involution C1_invariant C1_equal C1_different.
