(******************************************************************************)
(* Laws: what the checker may use of an activation.                           *)
(*                                                                            *)
(* scaling C == (alpha, beta, lambda, nu), which sigma passes when            *)
(*              sigma (alpha t + beta) = lambda sigma t + nu for all t        *)
(*     law C == functions to compute with:                                    *)
(*   propose a == a scaling with alpha = a, taken on no trust                 *)
(*    admits s == the test that s passes                                      *)
(*     exact c == Some d when sigma c = d is known exactly                    *)
(*        poly == Some p when sigma t = p_0 + p_1 t + p_2 t^2 + ...           *)
(*       slope == Some (p, q) when sigma t = p t + q, from poly               *)
(*      mirror == Some (l, m) when sigma (- t) = l sigma t + m t              *)
(* lawful v l s == the activation s obeys the law l                           *)
(* class C A == an activation with a law that it obeys                        *)
(*                                                                            *)
(* The laws: free_law (any function at all), identity_law, reflection_law     *)
(* (sigma (beta - t) = lambda sigma t + nu), homogeneous_law (sigma (a t) =   *)
(* a sigma t for positive a), absolute_law (sigma (a t) = |a| sigma t), and   *)
(* mirrored a m l, which adds a mirror to the law l;                          *)
(* polynomials have theirs in Polynomial.v.                                   *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Ring.
From Identcert Require Import Network Ring.
Import ListNotations.

Record scaling (C : Type) := Scaling { alpha : C; beta : C; lambda : C; nu : C }.
Arguments Scaling {C}.
Arguments alpha {C}.
Arguments beta {C}.
Arguments lambda {C}.
Arguments nu {C}.

Record law (C : Type) := Law {
  propose : C -> scaling C; admits : scaling C -> bool;
  exact : C -> option C; poly : option (list C); mirror : option (C * C) }.
Arguments Law {C}.
Arguments propose {C}.
Arguments admits {C}.
Arguments exact {C}.
Arguments poly {C}.
Arguments mirror {C}.

Section Lawful.
Context {A : signature} {C : Type} (v : C -> A).

Definition passes (sigma : A -> A) (s : scaling C) := forall t,
  sigma (add (mul (v (alpha s)) t) (v (beta s))) = add (mul (v (lambda s)) (sigma t)) (v (nu s)).

Definition valued (value : C -> option C) (sigma : A -> A) :=
  forall c d, value c = Some d -> sigma (v c) = v d.

Record lawful (l : law C) (sigma : A -> A) : Prop := Lawful {
  admitsP : forall s, admits l s = true -> passes sigma s;
  exactP : valued (exact l) sigma;
  polyP : forall p, poly l = Some p -> forall t, sigma t = horner v t p;
  mirrorP : forall a m, mirror l = Some (a, m) -> forall t u, add t u = zero ->
    sigma u = add (mul (v a) (sigma t)) (mul (v m) t) }.

Record class := Class { sigma_of : A -> A; law_of : law C; class_lawful : lawful law_of sigma_of }.
End Lawful.
Arguments sigma_of {A C v}.
Arguments law_of {A C v}.
Arguments class_lawful {A C v}.

Section Laws.
Variables (A : signature) (rA : ring A) (C : arithmetic) (v : C -> A).
Hypothesis ev : evaluation rA C v.
Add Ring values : (ringP rA).
Implicit Types (a b c : C) (s : scaling C) (sigma : A -> A).
Local Notation lawful := (lawful v).
Local Notation valued := (valued v).

Definition slope (l : law C) : option (C * C) :=
  match poly l with
  | Some [] => Some (zero, zero)
  | Some [q] => Some (zero, q)
  | Some [q; p] => Some (p, q)
  | _ => None
  end.
Lemma slopeP l sigma p q : lawful l sigma -> slope l = Some (p, q) ->
  forall t, sigma t = add (mul (v p) t) (v q).
Proof.
move=> lawful_l; rewrite /slope; case def_p: poly => [[|q' [|p' [|]]]|] // [<- <-] t;
  by rewrite (polyP _ _ _ lawful_l _ def_p) /= ?(eval0 ev); ring.
Qed.

Definition same (s s' : scaling C) := [&& ceqb (alpha s) (alpha s'), ceqb (beta s) (beta s'),
  ceqb (lambda s) (lambda s') & ceqb (nu s) (nu s')].
Definition unscaled : scaling C := Scaling c1 zero c1 zero.

Lemma same_passes sigma s s' : same s s' -> passes v sigma s' -> passes v sigma s.
Proof.
move=> /and4P[/(eval_eq ev) eqa /(eval_eq ev) eqb /(eval_eq ev) eql /(eval_eq ev) eqn] + t.
by rewrite eqa eqb eql eqn => ->.
Qed.

Lemma unscaled_passes sigma : passes v sigma unscaled.
Proof.
move=> t /=; rewrite (eval1 ev) (eval0 ev).
by have -> : add (mul (one rA) t) zero = t; ring.
Qed.

(* Any function at all. *)
Definition free_law value : law C :=
  Law (fun a => Scaling a zero a zero) (same unscaled) value None None.
Lemma free_lawful value sigma : valued value sigma -> lawful (free_law value) sigma.
Proof.
move=> valueP; split=> //= s.
move=> /and4P[/(eval_eq ev) eqa /(eval_eq ev) eqb /(eval_eq ev) eql /(eval_eq ev) eqn] t.
by rewrite -eqa -eqb -eql -eqn; apply: unscaled_passes.
Qed.

Definition identity_law : law C :=
  Law (fun a => Scaling a zero a zero) (fun s => ceqb (alpha s) (lambda s) && ceqb (beta s) (nu s))
      Some (Some [zero; c1]) None.
Lemma identity_lawful : lawful identity_law (fun t => t).
Proof.
split=> //= [s|c d [->] //|p [<-] t /=].
  by move=> /andP[/(eval_eq ev) + /(eval_eq ev) +] t => -> ->.
by rewrite (eval1 ev) (eval0 ev); ring.
Qed.

(* sigma (beta - t) = lambda sigma t + nu: odd and even functions, the logistic function, ... *)
Definition reflection b l n : scaling C := Scaling cN1 b l n.
Definition reflection_law b l n value : law C :=
  Law (fun a => if ceqb a c1 then unscaled else reflection b l n)
      (fun s => same s unscaled || same s (reflection b l n)) value None None.
Lemma reflection_lawful b l n value sigma : valued value sigma ->
  (forall t, sigma (sub rA (v b) t) = add (mul (v l) (sigma t)) (v n)) ->
  lawful (reflection_law b l n value) sigma.
Proof.
move=> valueP refl; split=> //= s /orP[].
  by move/same_passes; apply; apply: unscaled_passes.
move/same_passes; apply=> t /=; rewrite -refl (evalN1 ev).
by congr sigma; ring.
Qed.

(* sigma (a t) = a sigma t for a > 0: the rectifier and its leaky forms. *)
Variable positive : C -> bool.
Definition homogeneous_law (value : C -> option C) : law C :=
  Law (fun a => Scaling a zero a zero)
      (fun s => positive (alpha s) && same s (Scaling (alpha s) zero (alpha s) zero)) value None None.
Lemma homogeneous_lawful value sigma : valued value sigma ->
  (forall a, positive a -> forall t, sigma (mul (v a) t) = mul (v a) (sigma t)) ->
  lawful (homogeneous_law value) sigma.
Proof.
move=> valueP homog; split=> //= s /andP[a_gt0 /same_passes]; apply=> t /=.
rewrite (eval0 ev); transitivity (sigma (mul (v (alpha s)) t)); first by congr sigma; ring.
by rewrite homog //; ring.
Qed.

(* sigma (a t) = |a| sigma t: the absolute value. *)
Definition modulus a : C := if positive a then a else mul cN1 a.
Definition absolute_law (value : C -> option C) : law C :=
  Law (fun a => Scaling a zero (modulus a) zero)
      (fun s => positive (modulus (alpha s))
                && same s (Scaling (alpha s) zero (modulus (alpha s)) zero)) value None None.
Lemma absolute_lawful value sigma : valued value sigma ->
  (forall t, sigma (opp rA t) = sigma t) ->
  (forall a, positive a -> forall t, sigma (mul (v a) t) = mul (v a) (sigma t)) ->
  lawful (absolute_law value) sigma.
Proof.
move=> valueP even homog; split=> //= s /andP[pos /same_passes]; apply=> t /=.
rewrite (eval0 ev); transitivity (mul (v (modulus (alpha s))) (sigma t)); last by ring.
rewrite -homog // /modulus; case: ifP => _; first by congr sigma; ring.
by rewrite -even (evalM ev) (evalN1 ev); congr sigma; ring.
Qed.

(* sigma (- t) = a sigma t + m t, for comparing constants: softplus, GELU, ... *)
Definition mirrored a m (l : law C) : law C :=
  Law (propose l) (admits l) (exact l) (poly l) (Some (a, m)).
Lemma mirrored_lawful a m l sigma : lawful l sigma ->
  (forall t, sigma (opp rA t) = add (mul (v a) (sigma t)) (mul (v m) t)) ->
  lawful (mirrored a m l) sigma.
Proof.
move=> [admP exP slP _] mir; split=> //= _ _ [<- <-] t u tu0; rewrite -mir; congr sigma.
by transitivity (add (opp rA t) (add t u)); [ring | rewrite tu0; ring].
Qed.
End Laws.
Arguments slope {C}.
