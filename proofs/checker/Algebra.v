(******************************************************************************)
(* The same theorems over every commutative Q-algebra (R, C, Q itself, dual   *)
(* numbers ...), without an axiom.  Activations are then either polynomials   *)
(* or any functions that obey a law.                                          *)
(*                                                                            *)
(*      algebra == a commutative ring with a homomorphism from Q              *)
(*     scalar A == that homomorphism                                          *)
(* any_odd s, any_polynomial p, any_identity == classes over A                *)
(* algebra_equivariant, algebra_formal == by latents, by formal values        *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List QArith.
From Identcert Require Import Network Ring Rational Law Polynomial Latents Reduction Certificate
  Formal.
Import ListNotations.

Record algebra := Algebra {
  elements :> signature;
  algebra_ring : ring elements;
  scalar : Q -> elements;
  scalar_eq : forall a b, a == b -> scalar a = scalar b;
  scalar0 : scalar 0 = zero;
  scalar1 : scalar 1 = one algebra_ring;
  scalarD : forall a b, scalar (a + b) = add (scalar a) (scalar b);
  scalarM : forall a b, scalar (a * b) = mul (scalar a) (scalar b) }.

Section Algebra.
Variable A : algebra.
Local Notation rA := (algebra_ring A).
Add Ring algebra_values : (ringP rA).
Local Notation v := (scalar A).

Lemma scalar_evaluation : evaluation rA Q_arithmetic v.
Proof. exact: rational_evaluation (scalar_eq A) (scalar0 A) (scalar1 A) (scalarD A) (scalarM A). Qed.
Local Notation ev := scalar_evaluation.

Definition odd_function (sigma : A -> A) := forall t, sigma (opp rA t) = opp rA (sigma t).

Lemma odd_reflection sigma : odd_function sigma ->
  forall t, sigma (sub rA (v 0) t) = add (mul (v (-1)) (sigma t)) (v 0).
Proof.
move=> sigma_odd t; rewrite scalar0 (evalN1 ev : v (-1) = opp rA (one rA)).
have -> : sub rA zero t = opp rA t by ring.
by rewrite sigma_odd; ring.
Qed.

(* 2 sigma 0 = 0, and 2 is invertible *)
Lemma odd_function0 sigma c d : odd_function sigma ->
  (if qeqb c 0 then Some 0 else None) = Some d -> sigma (v c) = v d.
Proof.
case: ifP => // /(eval_eq ev) -> /(_ zero) + [<-]; rewrite !scalar0.
have -> : opp rA zero = zero by ring.
move=> sigma0; transitivity (mul (v (1 # 2)) (mul (v 2) (sigma zero))).
  have -> : mul (v (1 # 2)) (mul (v 2) (sigma zero)) = mul (mul (v (1 # 2)) (v 2)) (sigma zero) by ring.
  rewrite -scalarM (scalar_eq A _ 1) // scalar1; ring.
rewrite (scalar_eq A 2 (1 + 1)) // scalarD scalar1.
transitivity (mul (v (1 # 2)) (add (sigma zero) (sigma zero))); first ring.
by rewrite {2}sigma0; ring.
Qed.

Definition any_odd sigma (sigma_odd : odd_function sigma) : class v :=
  Class v sigma _ (reflection_lawful _ rA _ _ ev 0 (-1) 0 _ _
    (fun c d => odd_function0 sigma c d sigma_odd) (odd_reflection _ sigma_odd)).
Definition any_function sigma : class v :=
  Class v sigma _ (free_lawful _ rA _ _ ev (fun=> None) sigma (fun c d => ltac:(done))).
Definition any_polynomial (centre : Q) p : class v := poly_class ev centre p.
Lemma any_identity_lawful : lawful v (identity_law Q_arithmetic) id.
Proof. exact: (identity_lawful _ rA _ _ ev). Qed.
Definition any_identity : class v := Class v id _ any_identity_lawful.

Variables (G : Type) (net : list (layer Q A)) (rho tau : G -> action Q).

Theorem algebra_equivariant (classes : list (class v)) names steps (latents : G -> list (monomial Q_arithmetic)) :
  map activation net = map (sigma A rA Q_arithmetic v ev classes) names ->
  (forall g, certificate A rA Q_arithmetic v ev classes names steps net
               (rho g) (latents g) (tau g) = true) ->
  forall w x, network v net (word v rho w x) = word v tau w (network v net x).
Proof. by move=> act cert; apply: (word_equivariant ev _ _ _ _ act _ _ _ cert). Qed.

Theorem algebra_formal (classes : list (class v)) names n :
  map activation net = map (sigma A rA Q_arithmetic v ev classes) names ->
  (forall g, formal_check (C := Q_arithmetic) (fun a b => Qred (a / b))
     (laws A rA Q_arithmetic v ev classes) n names net (rho g) (tau g) = true) ->
  forall w x, length x = n ->
  network v net (word v rho w x) = word v tau w (network v net x).
Proof. by move=> act; apply: (word_formal ev _ _ _ _ _ act). Qed.
End Algebra.
