(******************************************************************************)
(* Polynomial networks: equivariance as an identity of polynomials, expanded. *)
(*                                                                            *)
(*    mpoly C n == polynomials in n variables, as polynomials in the first    *)
(*                 whose coefficients are polynomials in the others           *)
(*  mval v xs p == the value of p at xs                                       *)
(*       form v == an activation with the polynomial that it is               *)
(* identity_check forms names net n rho tau == both sides of the equation     *)
(*                 expand to equal polynomials                                *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Arith Ring.
From Identcert Require Import Network Ring Rows Polynomial Evaluation.
Import ListNotations.

Fixpoint mpoly (C : arithmetic) n : arithmetic := if n is S n then poly (mpoly C n) else C.

Fixpoint constant_poly {C : arithmetic} n : C -> mpoly C n :=
  if n is S n then fun c => [constant_poly n c] else fun c => c.
Fixpoint variables {C : arithmetic} n : list (mpoly C n) :=
  if n is S n then [zero; c1] :: map (fun p => [p]) (variables n) else [].

Record form {A : signature} {C : Type} (v : C -> A) := Form {
  form_of : A -> A; coefficients : list C; formP : forall t, form_of t = horner v t coefficients }.
Arguments form_of {A C v}.
Arguments coefficients {A C v}.

Section Identity.
Variables (A : signature) (rA : ring A) (C : arithmetic) (v : C -> A).
Hypothesis ev : evaluation rA C v.
Add Ring values : (ringP rA).

Fixpoint mval n (x : list A) : mpoly C n -> A :=
  if n is S n then fun p => horner (mval n (tl x)) (hd zero x) p else v.

Lemma mval_evaluation n x : evaluation rA (mpoly C n) (mval n x).
Proof. by elim: n x => //= n IHn x; apply: evaluation_poly. Qed.

Lemma mval_constant n x c : mval n x (constant_poly n c) = v c.
Proof. by elim: n x => //= n IHn x; rewrite IHn; ring. Qed.

Lemma mval_variables n x : length x = n ->
  Forall2 (fun p a => mval n x p = a) (variables n) x.
Proof.
elim: n x => [|n IHn] [|t x] //= [len_x]; constructor.
- by rewrite /= (eval0 (mval_evaluation n x)) (eval1 (mval_evaluation n x)); ring.
- move: (IHn x len_x); move: (mval n x) => f; elim=> //= p a ps xs <- _ IHps.
  by constructor=> //=; ring.
Qed.

Definition zero_form : form v := Form A C v (fun=> zero) [] (fun=> erefl).
Variables (forms : list (form v)) (names : list nat) (net : list (layer C A)) (n : nat).
Definition form_at i := nth i forms zero_form.
Hypothesis def_activations : map activation net = map (fun i => form_of (form_at i)) names.

Let D := mpoly C n.
Let conv := @constant_poly C n.
Definition expanded (x : list D) : list D :=
  network conv (with_activations
    (map (fun i t => horner conv t (coefficients (form_at i))) names) net) x.
Fixpoint same_values (p q : list D) : bool :=
  match p, q with a :: p, b :: q => ceqb a b && same_values p q | [], [] => true | _, _ => false end.
Definition identity_check (rho tau : action C) :=
  let x := variables n in
  (length rho =? n) &&
  same_values (expanded (apply conv rho x)) (apply conv tau (expanded x)).

Section AtPoint.
Variable x : list A.
Hypothesis len_x : length x = n.
Let rel (p : D) a := mval n x p = a.
Let evD : evaluation rA D (mval n x) := mval_evaluation n x.

Lemma point_related : related rel.
Proof.
split=> [|p a q b <- <-|p a q b <- <-]; rewrite /rel ?(eval0 evD) ?(evalD evD) ?(evalM evD) //.
Qed.

Lemma point_constant c : rel (conv c) (v c).
Proof. exact: mval_constant. Qed.

Lemma expanded_related y z : Forall2 rel y z -> Forall2 rel (expanded y) (network v net z).
Proof.
apply: (network_related _ _ _ _ _ _ point_related point_constant); rewrite def_activations.
elim: names => //= i is_ IHis; constructor=> // p a <-; rewrite /rel formP.
elim: coefficients => [|c cs IHcs] /=; first exact: (eval0 evD).
by rewrite (evalD evD) (evalM evD) IHcs point_constant.
Qed.

Lemma Forall2_rel y z : Forall2 rel y z -> map (mval n x) y = z.
Proof. by elim=> //= p a y' z' <- _ ->. Qed.

Theorem identity_sound rho tau : identity_check rho tau = true ->
  network v net (apply v rho x) = apply v tau (network v net x).
Proof.
case/andP=> _; have rel_x := mval_variables _ _ len_x.
have rel_apply := apply_related _ _ _ _ _ _ point_related point_constant.
rewrite -(Forall2_rel _ _ (expanded_related _ _ (rel_apply rho _ _ rel_x))).
rewrite -(Forall2_rel _ _ (rel_apply tau _ _ (expanded_related _ _ rel_x))).
move: (expanded _) (apply conv tau _) => ps qs.
by elim: ps qs => [|p ps IHps] [|q qs] //= /andP[/(eval_eq evD) -> /IHps ->].
Qed.
End AtPoint.

Theorem word_identity G (rho tau : G -> action C) :
  (forall g, identity_check (rho g) (tau g) = true) ->
  forall w x, length x = n -> network v net (word v rho w x) = word v tau w (network v net x).
Proof.
move=> chk w x len_x; have len_w : length (word v rho w x) = n.
  by case: w => //= g w; rewrite /apply map_length; case/andP: (chk g) => /Nat.eqb_eq.
elim: w len_w => //= g w IHw _.
have len_w : length (word v rho w x) = n.
  by case: w {IHw} => //= h w; rewrite /apply map_length; case/andP: (chk h) => /Nat.eqb_eq.
by rewrite (identity_sound _ len_w _ _ (chk g)) IHw.
Qed.
End Identity.
Arguments word_identity {A rA C v} ev forms names net n def_activations {G}.
