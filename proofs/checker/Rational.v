(******************************************************************************)
(* Rational coefficients.                                                     *)
(*                                                                            *)
(*  over d M, over1 d b == the matrix M / d, the vector b / d; over2 d M for  *)
(*                  entries that are lists of coordinates                     *)
(*    Q_signature == Q, with sums and products in lowest terms where needed   *)
(*   Q_arithmetic == the same, to compute with                                *)
(* rational_evaluation rA v == to evaluate Q it suffices to respect ==, 0, 1, *)
(*                  + and *                                                   *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List QArith Ring.
From Identcert Require Import Network Ring.
Import ListNotations.
Open Scope Q_scope.

Definition over (d : positive) : list (list Z) -> list (list Q) := map (map (fun z => z # d)).
Definition over1 (d : positive) : list Z -> list Q := map (fun z => z # d).

Definition over2 (d : positive) : list (list (list Z)) -> list (list (list Q)) := map (over d).

Definition qadd (a b : Q) : Q :=
  if Z.eqb (Qnum a) 0 then b else if Z.eqb (Qnum b) 0 then a
  else if Pos.eqb (Qden a) (Qden b) then (Qnum a + Qnum b) # Qden a else Qred (a + b).
Definition qmul (a b : Q) : Q :=
  match a, b with
  | 0 # _, _ => 0
  | 1 # 1, _ => b
  | -1 # 1, _ => - b
  | _, 1 # 1 => a
  | _, -1 # 1 => - a
  | _, _ => Qred (a * b)
  end.
Definition qeqb (a b : Q) : bool :=
  if Pos.eqb (Qden a) (Qden b) then Z.eqb (Qnum a) (Qnum b) else Qeq_bool a b.

Canonical Q_signature := Signature Q 0 qadd qmul.
Definition Q_arithmetic : arithmetic := Arithmetic Q_signature 1 (-1) qeqb.

Lemma qaddE a b : qadd a b == a + b.
Proof.
rewrite /qadd; case: Z.eqb_spec => [|_]; last case: Z.eqb_spec => [|_].
- by case: a b => [n d] [m e] /= ->; rewrite /Qeq /= Pos2Z.inj_mul; ring.
- by case: a b => [n d] [m e] /= ->; rewrite /Qeq /= Pos2Z.inj_mul; ring.
- case: Pos.eqb_spec => [|_]; last exact: Qred_correct.
  by case: a b => [n d] [m e] /= <-; rewrite /Qeq /= Pos2Z.inj_mul; ring.
Qed.

Lemma qmulE a b : qmul a b == a * b.
Proof.
rewrite /qmul; case: a b => [[|[p|p|]|[p|p|]] [d|d|]] [[|[q|q|]|[q|q|]] [e|e|]];
  first [exact: Qred_correct | by rewrite /Qeq /= ?Pos2Z.inj_mul ?Pos.mul_1_r; ring].
Qed.

Lemma qeqbE a b : qeqb a b = true -> a == b.
Proof.
rewrite /qeqb; case: Pos.eqb_spec => [eq_d|_]; last exact: Qeq_bool_eq.
by move/Z.eqb_eq => eq_n; rewrite /Qeq eq_n eq_d.
Qed.

Section Evaluation.
Variables (A : signature) (rA : ring A) (v : Q -> A).
Add Ring values : (ringP rA).
Hypothesis v_eq : forall a b, a == b -> v a = v b.
Hypotheses (v0 : v 0 = zero) (v1 : v 1 = one rA).
Hypothesis vD : forall a b, v (a + b) = add (v a) (v b).
Hypothesis vM : forall a b, v (a * b) = mul (v a) (v b).

Lemma rational_evaluation : evaluation rA Q_arithmetic v.
Proof.
split=> //= [|a b|a b|a b /qeqbE /v_eq //].
- transitivity (add (opp rA (one rA)) (add (v (-1)) (v 1))); first by rewrite v1; ring.
  by rewrite -vD (v_eq _ 0) // v0; ring.
- by rewrite -vD; apply/v_eq/qaddE.
- by rewrite -vM; apply/v_eq/qmulE.
Qed.
End Evaluation.
