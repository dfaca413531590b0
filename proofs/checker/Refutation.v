(******************************************************************************)
(* Refutation by a point at which both sides are computed exactly.            *)
(*                                                                            *)
(* exact_sides classes names net rho tau q j == Some values of the component  *)
(*                j of network net (apply rho q) and of apply tau (network    *)
(*                net q), when every activation on the way has an exact value *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Ring.
From Identcert Require Import Network Ring Law Certificate Evaluation.
Import ListNotations.

Definition lift {T} (f : T -> T -> T) (a b : option T) : option T :=
  if a is Some a then if b is Some b then Some (f a b) else None else None.

Section Refutation.
Variables (A : signature) (rA : ring A) (C : arithmetic) (v : C -> A).
Hypothesis ev : evaluation rA C v.

Definition partial : signature := Signature (option C) (Some zero) (lift add) (lift mul).
Let stands_for (d : partial) (a : A) := if d is Some c then v c = a else True.

Variables (classes : list (class v)) (names : list nat) (net : list (layer C A)).
Let class_at := class_at A rA C v ev classes.
Let sigma := sigma A rA C v ev classes.
Let conv : C -> partial := Some.

Definition exactly (n : nat) (d : partial) : partial := obind (exact (law_of (class_at n))) d.
Definition exact_network (x : list partial) : list partial :=
  network conv (with_activations (map exactly names) net) x.
Definition exact_sides (rho tau : action C) (q : list C) (j : nat) : option (C * C) :=
  let x := map conv q in
  if nth j (exact_network (apply conv rho x)) None is Some a then
    if nth j (apply conv tau (exact_network x)) None is Some b then Some (a, b) else None
  else None.

Hypothesis def_activations : map activation net = map sigma names.

Lemma partial_related : related stands_for.
Proof.
by split=> [|[c|] a [d|] b|[c|] a [d|] b] //=; [exact: (eval0 ev) | move=> <- <- ..];
  [exact: (evalD ev) | exact: (evalM ev)].
Qed.

Lemma exact_related y z : Forall2 stands_for y z -> Forall2 stands_for (exact_network y) (network v net z).
Proof.
apply: (network_related _ _ _ _ _ _ partial_related) => // ; rewrite def_activations.
elim: names => //= n ns IHns; constructor=> // -[c|] a //= <-.
case def_d: exact => [d|] //=.
by rewrite -(exactP _ _ _ (class_lawful (class_at n)) _ _ def_d).
Qed.

Lemma point_related q : Forall2 stands_for (map conv q) (map v q).
Proof. by elim: q => //= c q IHq; constructor. Qed.

Lemma nth_partial j y z a : Forall2 stands_for y z -> nth j y None = Some a -> nth j z zero = v a.
Proof.
move=> rel_yz; elim: rel_yz j => [|d b y' z' rel_db _ IHy] [|j] //=; last exact: IHy.
by move=> def_d; rewrite def_d /= in rel_db.
Qed.

Theorem exact_sides_sound rho tau q j a b : exact_sides rho tau q j = Some (a, b) ->
  nth j (network v net (apply v rho (map v q))) zero = v a /\
  nth j (apply v tau (network v net (map v q))) zero = v b.
Proof.
rewrite /exact_sides; case def_a: (nth j _ None) => [a'|] //; case def_b: (nth j _ None) => [b'|] // [<- <-].
have rel_q := point_related q.
have rel_apply := apply_related _ _ _ _ v conv partial_related (fun=> erefl).
split; [apply: nth_partial def_a | apply: nth_partial def_b].
  exact/exact_related/rel_apply.
exact/rel_apply/exact_related.
Qed.

End Refutation.

Section Refuted.
Context {A : signature} {C G : Type} (v : C -> A) (net : list (layer C A)) (n : nat) (rho tau : G -> action C).

(* one generator and one point refute the equation for words *)
Lemma refuted_at g x j : length x = n ->
  nth j (network v net (apply v (rho g) x)) zero <> nth j (apply v (tau g) (network v net x)) zero ->
  ~ forall w x, length x = n -> network v net (word v rho w x) = word v tau w (network v net x).
Proof. by move=> len_x neq /(_ [g] x len_x) /= eq_net; apply: neq; rewrite eq_net. Qed.
End Refuted.
