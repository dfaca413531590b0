(******************************************************************************)
(* Polynomials as lists of coefficients, constant term first.                 *)
(*                                                                            *)
(*    value_at p c == the value at c, computed in the coefficients            *)
(*    extension up == coefficients C[t] with a chosen product by t, up        *)
(*   polynomials C == C[t] itself                                             *)
(* poly_class centre p == the class of the activation t |-> p (t), with *)
(*                   every scaling that a comparison of coefficients proves   *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Ring.
From Identcert Require Import Network Ring Rows Law.
Import ListNotations.

Section Compute.
Variable C : arithmetic.
Implicit Types (p q : list C).

Section Extension.
Variable up : list C -> list C.
Fixpoint pmul p q := if q is c :: q then radd (rscale c p) (up (pmul p q)) else [].
Definition extension : arithmetic :=
  Arithmetic (Signature (list C) [] radd pmul) [c1] [cN1] req.
End Extension.

Definition polynomials := extension (cons zero).

Fixpoint compose p q := if p is c :: p then radd [c] (pmul (cons zero) q (compose p q)) else [].

Fixpoint cpow (a : C) n := if n is S n then mul a (cpow a n) else c1.

Definition value_at p (c : C) : C := horner id c p.

Definition polynomial_scaling (centre : C) p a : scaling C :=
  let b := add centre (mul cN1 (mul centre a)) in
  let l := cpow a (Nat.pred (length p)) in
  Scaling a b l (add (value_at p b) (mul cN1 (mul l (value_at p zero)))).
Definition polynomial_admits p (s : scaling C) :=
  req (compose p [beta s; alpha s]) (radd (rscale (lambda s) p) [nu s]).
Definition polynomial_law centre p : law C :=
  Law (polynomial_scaling centre p) (polynomial_admits p) (fun c => Some (value_at p c))
      (Some p) None.
End Compute.
Arguments extension {C}.
Arguments pmul {C}.
Arguments compose {C}.
Arguments value_at {C}.
Arguments polynomial_law {C}.

Section Sound.
Variables (A : signature) (rA : ring A) (C : arithmetic) (v : C -> A).
Hypothesis ev : evaluation rA C v.
Add Ring values : (ringP rA).
Implicit Types (p q : list C) (t : A).
Local Notation horner := (horner v).

Lemma hornerD t p q : horner t (radd p q) = add (horner t p) (horner t q).
Proof.
by elim: p q => [|a p IHp] [|b q] /=; rewrite ?IHp ?(evalD ev); ring.
Qed.

Lemma hornerZ t c p : horner t (rscale c p) = mul (v c) (horner t p).
Proof.
rewrite /rscale; case: ifP => [/(eval_eq ev) ->|_]; first by rewrite (eval1 ev); ring.
by elim: p => [|a p IHp] /=; rewrite ?IHp ?(evalM ev); ring.
Qed.

Lemma horner0 t p : rzero p -> horner t p = zero.
Proof.
elim: p => [|a p IHp] //= /andP[/(eval_eq ev) -> /IHp ->].
by rewrite (eval0 ev); ring.
Qed.

Lemma horner_eq t p q : req p q -> horner t p = horner t q.
Proof.
elim: p q => [|a p IHp] [|b q] //.
- by move/(horner0 t) => ->.
- by move/(horner0 t) => ->.
- by move=> /= /andP[/(eval_eq ev) -> /IHp ->].
Qed.

Lemma hornerX t p : horner t (zero :: p) = mul t (horner t p).
Proof. by rewrite /= (eval0 ev); ring. Qed.

Lemma horner_mul up t p q : (forall p, horner t (up p) = mul t (horner t p)) ->
  horner t (pmul up p q) = mul (horner t p) (horner t q).
Proof.
move=> upP; elim: q => [|c q IHq] /=; first by ring.
by rewrite hornerD hornerZ upP IHq; ring.
Qed.

Lemma evaluation_extension up t : (forall p, horner t (up p) = mul t (horner t p)) ->
  evaluation rA (extension up) (horner t).
Proof.
move=> upP; split=> //=; rewrite ?(eval1 ev) ?(evalN1 ev); try ring.
- exact: hornerD.
- by move=> p q; apply: horner_mul.
- exact: horner_eq.
Qed.

Lemma evaluation_polynomials t : evaluation rA (polynomials C) (horner t).
Proof. by apply: evaluation_extension => p; apply: hornerX. Qed.

Lemma horner_compose t p q : horner t (compose p q) = horner (horner t q) p.
Proof.
elim: p => [|c p IHp] //=; rewrite hornerD (horner_mul _ _ _ _ (hornerX t)) IHp /=; ring.
Qed.

Lemma horner_value c p : horner (v c) p = v (value_at p c).
Proof.
rewrite /value_at; elim: p => [|a p IHp] /=; first by rewrite (eval0 ev).
by rewrite IHp (evalD ev) (evalM ev).
Qed.

Lemma polynomial_lawful centre p (sigma : A -> A) : (forall t, sigma t = horner t p) ->
  lawful v (polynomial_law centre p) sigma.
Proof.
move=> def_sigma; split=> //= [s|c d [<-]|q [<-] //].
- move=> /horner_eq adm t; rewrite !def_sigma.
  have := adm t; rewrite horner_compose hornerD hornerZ /= => eq_st.
  transitivity (add (mul (v (lambda s)) (horner t p)) (add (v (nu s)) (mul t zero))); last by ring.
  by rewrite -eq_st; congr (horner _ p); ring.
- by rewrite def_sigma horner_value.
Qed.

Definition poly_class centre p : class v :=
  Class v (fun t => horner t p) _ (polynomial_lawful centre p _ (fun t => erefl)).
End Sound.
Arguments poly_class {A rA C v}.
