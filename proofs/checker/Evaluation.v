(******************************************************************************)
(* Evaluation of a network elsewhere than where it is claimed: in exact       *)
(* coefficients, in polynomials, in intervals.  One theorem serves them all.  *)
(*                                                                            *)
(*     related rel == rel : D -> A -> Prop, "d stands for a", respects 0, +   *)
(*                    and *                                                   *)
(* with_activations fs net == net with the activations fs                     *)
(*  network_related == related inputs and activations give related outputs    *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List.
From Identcert Require Import Network.
Import ListNotations.

Fixpoint with_activations {C A D} (fs : list (D -> D)) (net : list (layer C A)) : list (layer C D) :=
  match net, fs with
  | l :: net, f :: fs => Layer (weight l) (bias l) f :: with_activations fs net
  | _, _ => []
  end.

Record related {D A : signature} (rel : D -> A -> Prop) : Prop := Related {
  related0 : rel zero zero;
  relatedD : forall d a e b, rel d a -> rel e b -> rel (add d e) (add a b);
  relatedM : forall d a e b, rel d a -> rel e b -> rel (mul d e) (mul a b) }.

Section Evaluation.
Variables (D A : signature) (rel : D -> A -> Prop) (C : Type) (v : C -> A) (conv : C -> D).
Hypotheses (rel_ops : related rel) (rel_conv : forall c, rel (conv c) (v c)).
Implicit Types (w : list C) (x : list A) (y : list D).
Local Notation rels := (Forall2 rel).

Lemma dot_related w y x : rels y x -> rel (dot conv w y) (dot v w x).
Proof.
move=> rel_yx; elim: rel_yx w => [|d a y' x' rel_da _ IHx] [|c w] //=; try exact: (related0 _ rel_ops).
by apply: (relatedD _ rel_ops); [apply: (relatedM _ rel_ops) | apply: IHx].
Qed.

Lemma affine_related W b y x : rels y x -> rels (affine conv W b y) (affine v W b x).
Proof.
move=> rel_yx; elim: W b => [|w W IHW] [|c b] /=; constructor=> //.
by apply: (relatedD _ rel_ops); [apply: dot_related | apply: rel_conv].
Qed.

Lemma nth_related i y x : rels y x -> rel (nth i y zero) (nth i x zero).
Proof.
move=> rel_yx; elim: rel_yx i => [|d a y' x' rel_da _ IHx] [|i] //=; exact: (related0 _ rel_ops).
Qed.

Lemma apply_related rho y x : rels y x -> rels (apply conv rho y) (apply v rho x).
Proof.
move=> rel_yx; elim: rho => [|[r c] rho IHrho] /=; constructor=> //.
apply: (relatedD _ rel_ops) => //=; elim: r => [|[i a] r IHr] /=; first exact: (related0 _ rel_ops).
apply: (relatedD _ rel_ops) => //; apply: (relatedM _ rel_ops) => //; exact: nth_related.
Qed.

Definition acts_as (f : D -> D) (sigma : A -> A) := forall d a, rel d a -> rel (f d) (sigma a).

Theorem network_related fs net y x : Forall2 acts_as fs (map activation net) ->
  rels y x -> rels (network conv (with_activations fs net) y) (network v net x).
Proof.
elim: net fs y x => [|l net IHnet] fs y x rel_fs rel_yx; first by case: fs {rel_fs}.
inversion rel_fs as [|f s fs1 ss rel_f rel_fs1]; subst; rewrite /=; apply: IHnet => //.
elim: (affine_related (weight l) (bias l) _ _ rel_yx) => /= [|d a ds xs rel_da _ IHxs]; constructor=> //.
exact: rel_f.
Qed.
End Evaluation.
