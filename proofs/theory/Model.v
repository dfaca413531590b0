(******************************************************************************)
(* Deep models with latent symmetries.                                        *)
(*                                                                            *)
(*      group == groups, finite or not, with equality of elements             *)
(*      model == spaces V_0, V_1, ..., parameters Theta_i of the layers       *)
(*               f_i : V_i -> V_(i+1), and latent groups K_i acting on V_i;   *)
(*               only indices below the depth matter                          *)
(* tw k' k t == the parameter t of a layer with k' absorbed after the layer   *)
(*               and the inverse of k before it (adjunction)                  *)
(*    net n t == the map computed by the first n layers at the parameter t    *)
(*   gauge M == a choice of k_i in K_i for all i                              *)
(* moves L k t t' == t' is t transformed by the gauge k, on the first L       *)
(*               layers                                                       *)
(*  inner L k == k is trivial on input and output                             *)
(* identifiable L t == parameters with the function of t are inner transforms *)
(*               of t                                                         *)
(* trivial_stabiliser L t == only the trivial inner gauge fixes t             *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Record group := Group {
  elements :> Type;
  gone : elements; gmul : elements -> elements -> elements; ginv : elements -> elements;
  gmulA : associative gmul;
  gmul1 : left_id gone gmul;
  gmulV : left_inverse gone ginv gmul }.
Arguments gone {_}.

Section GroupTheory.
Variable K : group.
Implicit Types a b c : K.

Lemma gmulI a : injective (gmul a).
Proof. by move=> b c eq_bc; rewrite -[b]gmul1 -[c]gmul1 -(gmulV a) -!gmulA eq_bc. Qed.

Lemma gmulr1 : right_id gone (@gmul K).
Proof. by move=> a; apply: (@gmulI (ginv a)); rewrite gmulA gmulV gmul1. Qed.

Lemma gmulrV : right_inverse gone (@ginv K) (@gmul K).
Proof. by move=> a; apply: (@gmulI (ginv a)); rewrite gmulA gmulV gmul1 gmulr1. Qed.

Lemma ginv1 : ginv gone = gone :> K.
Proof. by rewrite -[LHS]gmul1 gmulrV. Qed.

Lemma ginv_eq1 a b : gmul (ginv a) b = gone -> b = a.
Proof. by move=> eq1; apply: (@gmulI (ginv a)); rewrite eq1 gmulV. Qed.
End GroupTheory.

Record model := Model {
  V : nat -> Type; Theta : nat -> Type; K : nat -> group;
  f : forall i, Theta i -> V i -> V i.+1;
  act : forall i, K i -> V i -> V i;
  act1 : forall i x, act (gone : K i) x = x;
  actM : forall i (a b : K i) x, act (gmul a b) x = act a (act b x);
  tw : forall i, K i.+1 -> K i -> Theta i -> Theta i;
  tw1 : forall i t, tw (gone : K i.+1) (gone : K i) t = t;
  twM : forall i (a' b' : K i.+1) (a b : K i) t,
    tw (gmul a' b') (gmul a b) t = tw a' a (tw b' b t);
  absorb : forall i (k' : K i.+1) (k : K i) t x, f (tw k' k t) (act k x) = act k' (f t x) }.

Section Networks.
Variable M : model.

Definition params := forall i, Theta M i.
Definition gauge := forall i, K M i.
Implicit Types (t : params) (k h : gauge).

Fixpoint net n t : V M 0 -> V M n :=
  if n is m.+1 then fun x => f (t m) (net m t x) else id.

Definition transform k t : params := fun i => tw (k i.+1) (k i) (t i).
Definition moves L k t (t' : params) := forall i, i < L -> t' i = transform k t i.
Definition inner L k := k 0 = gone /\ k L = gone.
Definition identifiable L t := forall t',
  net L t' =1 net L t -> exists2 k, inner L k & moves L k t t'.
Definition trivial_stabiliser L t := forall k,
  inner L k -> moves L k t t -> forall i, i <= L -> k i = gone.

Definition quotient k h : gauge := fun i => gmul (ginv (h i)) (k i).

Lemma net_transform k t n x : net n (transform k t) (act (k 0) x) = act (k n) (net n t x).
Proof. by elim: n => //= n ->; rewrite absorb. Qed.

Lemma moves_layer L k t i x : moves L k t t -> i < L ->
  f (t i) (act (k i) x) = act (k i.+1) (f (t i) x).
Proof. by move=> mov lt_iL; rewrite [in LHS](mov _ lt_iL) absorb. Qed.

Lemma moves_quotient L k h t t' : moves L k t t' -> moves L h t t' -> moves L (quotient k h) t t.
Proof.
move=> mov_k mov_h i lt_iL; rewrite /transform twM -/(transform k t i) -mov_k // (mov_h i lt_iL).
by rewrite -twM !gmulV tw1.
Qed.

Lemma moves_comp L k h t : moves L k t t -> moves L h t t ->
  moves L (fun i => gmul (k i) (h i)) t t.
Proof.
move=> mov_k mov_h i lt_iL; rewrite /transform twM -/(transform h t i) -mov_h //.
exact: mov_k.
Qed.

(* A gauge has prescribed ends: the only cast of this library. *)
Lemma gauge_with_ends L (a : K M 0) (b : K M L) : 0 < L ->
  exists k : gauge, k 0 = a /\ k L = b.
Proof.
move=> L_gt0; exists (fun i => match eqVneq 0 i, eqVneq L i with
  | EqNotNeq eq0, _ => eq_rect 0 (fun j => elements (K M j)) a i eq0
  | _, EqNotNeq eqL => eq_rect L (fun j => elements (K M j)) b i eqL
  | _, _ => gone end); split.
  by case: eqVneq => // eq0; rewrite (eq_axiomK eq0).
case: eqVneq => [eq0|_]; first by rewrite -eq0 in L_gt0.
by case: eqVneq => [eqL|]; [rewrite (eq_axiomK eqL) | rewrite eqxx].
Qed.

Lemma equal_gauges L k h t : trivial_stabiliser L t ->
  moves L k t t -> moves L h t t -> k 0 = h 0 -> k L = h L -> forall i, i <= L -> k i = h i.
Proof.
move=> stab mov_k mov_h eq0 eqL i le_iL; apply: ginv_eq1.
apply: (stab (quotient k h)) => //; last exact: moves_quotient mov_k mov_h.
by rewrite /inner /quotient eq0 eqL !gmulV.
Qed.
End Networks.
