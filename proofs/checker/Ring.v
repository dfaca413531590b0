(******************************************************************************)
(* Rings of values, and the coefficients that are computed with.              *)
(*                                                                            *)
(*     ring A == the signature A is a commutative ring (Leibniz equality)     *)
(* arithmetic == a signature with 1, -1 and a test of equality, to compute in *)
(* evaluation rA C v == v : C -> A respects 0, 1, -1, + and *, and the test   *)
(*               is sound: coefficients that pass it have equal values        *)
(* horner v t p == the value at t of the polynomial with coefficients p,      *)
(*               constant term first                                          *)
(******************************************************************************)
From Coq Require Import Ring_theory.
From Identcert Require Import Network.

Record ring (A : signature) := Ring {
  one : A; sub : A -> A -> A; opp : A -> A;
  ringP : ring_theory zero one add mul sub opp (@eq A) }.
Arguments one {A}.
Arguments sub {A}.
Arguments opp {A}.
Arguments ringP {A}.

Record arithmetic := Arithmetic {
  coefficient :> signature;
  c1 : coefficient; cN1 : coefficient;
  ceqb : coefficient -> coefficient -> bool }.
Arguments c1 {_}.
Arguments cN1 {_}.
Arguments ceqb {_}.

Record evaluation {A : signature} (rA : ring A) (C : arithmetic) (v : C -> A) := Evaluation {
  eval0 : v zero = zero;
  eval1 : v c1 = one rA;
  evalN1 : v cN1 = opp rA (one rA);
  evalD : forall a b, v (add a b) = add (v a) (v b);
  evalM : forall a b, v (mul a b) = mul (v a) (v b);
  eval_eq : forall a b, ceqb a b = true -> v a = v b }.
Arguments eval0 {A rA C v}.
Arguments eval1 {A rA C v}.
Arguments evalN1 {A rA C v}.
Arguments evalD {A rA C v}.
Arguments evalM {A rA C v}.
Arguments eval_eq {A rA C v}.

(* the value p_0 + p_1 t + p_2 t^2 + ... *)
Fixpoint horner {A : signature} {C : Type} (v : C -> A) (t : A) (p : list C) : A :=
  match p with
  | cons c p => add (v c) (mul t (horner v t p))
  | nil => zero
  end.
