(******************************************************************************)
(* Coefficients with parameters: polynomials over Q, at real values of the    *)
(* parameters.                                                                *)
(*                                                                            *)
(*   parametric n == polynomials in n parameters, as in Identity.v            *)
(* at_parameters xs p == the value of p at the list xs                        *)
(* parametric_real n xs == the coefficients; only constants have a sign       *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Reals QArith Qreals.
From Identcert Require Import Network Ring Rows Rational Polynomial Activations
  ActivationFacts Classes Identity.
Import ListNotations.

Definition parametric (n : nat) : arithmetic := mpoly Q_arithmetic n.
Definition at_parameters {n} (xs : list R) : parametric n -> R :=
  mval R_signature Q_arithmetic Q2R n xs.

Section AtValues.
Variables (n : nat) (xs : list R).
Let ev : evaluation R_ring (parametric n) (at_parameters xs) :=
  mval_evaluation _ R_ring _ _ Q2R_evaluation n xs.

Lemma parametric_rational q : at_parameters xs (constant_poly n q) = Q2R q.
Proof. exact: (mval_constant _ R_ring). Qed.

Fixpoint parametric_as_rational n : parametric n -> option Q :=
  if n is S n then fun p =>
    match p with
    | [] => Some 0%Q
    | c :: p => if rzero (C := parametric n) p then parametric_as_rational n c else None
    end
  else Some.

Lemma parametric_as_rationalP c q : parametric_as_rational n c = Some q -> at_parameters xs c = Q2R q.
Proof.
rewrite /at_parameters; elim: n xs c => [|k IHk] ys; first by move=> c [->].
case=> [|c p] /=; first by case=> <-; rewrite Q2R0.
case: ifP => // /(horner0 _ R_ring _ _ (mval_evaluation _ R_ring _ _ Q2R_evaluation k (tl ys))) p0.
by move=> /IHk ->; rewrite p0 /= Rmult_0_r Rplus_0_r.
Qed.

Definition parametric_positive (c : parametric n) : bool :=
  if parametric_as_rational n c is Some q then qpositive q else false.
Lemma parametric_positiveP c : parametric_positive c -> (0 < at_parameters xs c)%R.
Proof.
rewrite /parametric_positive; case def_q: parametric_as_rational => [q|] // /qpositiveP.
by rewrite (parametric_as_rationalP _ _ def_q).
Qed.

Definition parametric_real : real_coefficients :=
  RealCoefficients (parametric n) (at_parameters xs) ev (constant_poly (C := Q_arithmetic) n) parametric_rational
    (parametric_as_rational n) parametric_as_rationalP parametric_positive parametric_positiveP.
End AtValues.
