(******************************************************************************)
(* Rows of coefficients, of any length, read as if zeros followed: no lemma   *)
(* on them needs a length.                                                    *)
(*                                                                            *)
(*  radd u w, rscale c u, rat i c == sum, multiple, c at place i              *)
(*       req u w == u and w have equal coefficients                           *)
(*      comb r M == the combination of the rows of M by the sparse row r      *)
(*    gather w M == the same by the dense row w: w M                          *)
(*   through w R == w R, for R a list of sparse rows                          *)
(*       del i u == u without its place i                                     *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Ring.
From Identcert Require Import Network Ring.
Import ListNotations.

Section Compute.
Variable C : arithmetic.
Implicit Types (u w acc : list C) (r : list (nat * C)).

Fixpoint radd u w :=
  match u, w with
  | [], _ => w
  | _, [] => u
  | a :: u, b :: w => add a b :: radd u w
  end.
Definition rscale (c : C) u := if ceqb c c1 then u else map (mul c) u.
Fixpoint radd_at i (c : C) u :=
  match i, u with
  | 0, [] => [c]
  | 0, a :: u => add c a :: u
  | S i, [] => zero :: radd_at i c []
  | S i, a :: u => a :: radd_at i c u
  end.
Definition rat i c := radd_at i c [].
Fixpoint rzero u := if u is a :: u then ceqb a zero && rzero u else true.
Fixpoint req u w :=
  match u, w with
  | a :: u, b :: w => ceqb a b && req u w
  | [], _ => rzero w
  | _, [] => rzero u
  end.

Fixpoint comb r (M : list (list C)) : list C :=
  if r is (i, c) :: r then radd (rscale c (nth i M [])) (comb r M) else [].
Fixpoint gather w (M : list (list C)) : list C :=
  match w, M with
  | c :: w, m :: M => if ceqb c zero then gather w M else radd (rscale c m) (gather w M)
  | _, _ => []
  end.
Fixpoint spread (c : C) r acc :=
  if r is (i, a) :: r then spread c r (radd_at i (mul c a) acc) else acc.
Fixpoint through w (R : list (list (nat * C))) : list C :=
  match w, R with
  | c :: w, r :: R =>
      if ceqb c zero then through w R else spread c r (through w R)
  | _, _ => []
  end.
End Compute.
Arguments radd {C} u w : simpl nomatch.
Arguments rscale {C}.
Arguments radd_at {C}.
Arguments rat {C}.
Arguments rzero {C}.
Arguments req {C}.
Arguments comb {C}.
Arguments gather {C}.
Arguments spread {C}.
Arguments through {C}.

Fixpoint del {T} i (u : list T) : list T :=
  match i, u with
  | 0, _ :: u => u
  | S i, a :: u => a :: del i u
  | _, [] => []
  end.

Section Sound.
Variables (A : signature) (rA : ring A) (C : arithmetic) (v : C -> A).
Hypothesis ev : evaluation rA C v.
Add Ring values : (ringP rA).
Implicit Types (u w acc : list C) (r : list (nat * C)) (x : list A).
Local Notation dot := (dot v).
Local Notation sparse := (sparse v).

Lemma dot_nil w : dot w [] = zero.
Proof. by case: w. Qed.

Lemma dotD u w x : dot (radd u w) x = add (dot u x) (dot w x).
Proof.
elim: u w x => [|a u IHu] [|b w] [|t x] //=; rewrite ?IHu ?(evalD ev); ring.
Qed.

Lemma dotZ c u x : dot (rscale c u) x = mul (v c) (dot u x).
Proof.
rewrite /rscale; case: ifP => [/(eval_eq ev) ->|_].
  by rewrite (eval1 ev); ring.
by elim: u x => [|a u IHu] [|t x] /=; rewrite ?IHu ?(evalM ev); ring.
Qed.

Lemma dot_at i c u x : dot (radd_at i c u) x = add (mul (v c) (nth i x zero)) (dot u x).
Proof.
elim: i u x => [|i IHi] [|a u] [|t x] /=; rewrite ?(evalD ev) ?IHi ?(eval0 ev); try ring.
by rewrite /=; ring.
Qed.

Lemma dot_rat i c x : dot (rat i c) x = mul (v c) (nth i x zero).
Proof. by rewrite dot_at /=; ring. Qed.

Lemma dot0 u x : rzero u -> dot u x = zero.
Proof.
elim: u x => [|a u IHu] [|t x] //= /andP[/(eval_eq ev) -> /IHu ->].
by rewrite (eval0 ev); ring.
Qed.

Lemma dot_eq u w x : req u w -> dot u x = dot w x.
Proof.
elim: u w x => [|a u IHu] [|b w] [|t x] //=; first by move=> /(dot0 (b :: w) (t :: x)) /= ->.
  by move=> /(dot0 (a :: u) (t :: x)) /= ->.
by move=> /andP[/(eval_eq ev) -> /IHu ->].
Qed.

Lemma nth_map_dot i (M : list (list C)) x :
  nth i (map (fun m => dot m x) M) zero = dot (nth i M []) x.
Proof. by elim: M i => [|m M IHM] [|i] /=. Qed.

Lemma dot_comb r M x : dot (comb r M) x = sparse r (map (fun m => dot m x) M).
Proof. by elim: r => [|[i c] r IHr] //=; rewrite dotD dotZ IHr nth_map_dot. Qed.

Lemma dot_gather w M x : dot (gather w M) x = dot w (map (fun m => dot m x) M).
Proof.
elim: w M => [|c w IHw] [|m M] //=; case: ifP => [/(eval_eq ev) ->|_].
  by rewrite IHw (eval0 ev); ring.
by rewrite dotD dotZ IHw.
Qed.

Lemma dot_spread c r acc x :
  dot (spread c r acc) x = add (mul (v c) (sparse r x)) (dot acc x).
Proof.
elim: r acc => [|[i a] r IHr] acc /=; first by ring.
by rewrite IHr dot_at (evalM ev); ring.
Qed.

Lemma dot_through w R x : dot (through w R) x = dot w (map (fun r => sparse r x) R).
Proof.
elim: w R => [|c w IHw] [|r R] //=; case: ifP => [/(eval_eq ev) ->|_].
  by rewrite IHw (eval0 ev); ring.
by rewrite dot_spread IHw.
Qed.

Lemma dot_del i u x :
  dot u x = add (mul (v (nth i u zero)) (nth i x zero)) (dot (del i u) (del i x)).
Proof.
elim: i u x => [|i IHi] [|a u] [|t x] //=; rewrite ?(IHi u x) ?(eval0 ev) ?dot_nil; try ring.
Qed.
End Sound.
