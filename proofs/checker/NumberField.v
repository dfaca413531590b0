(******************************************************************************)
(* Q(alpha), or C(alpha) for any C, by coordinates over 1, alpha, alpha^2 ... *)
(* for any root alpha of a monic polynomial: it need not be irreducible, for  *)
(* no certificate divides.                                                    *)
(*                                                                            *)
(* number_field C m == the coefficients; m is monic, constant term first      *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Arith Ring.
From Identcert Require Import Network Ring Rows Polynomial.
Import ListNotations.

Section Compute.
Variables (C : arithmetic) (m : list C).

(* the product by alpha, reduced by m *)
Definition times_alpha (p : list C) : list C :=
  if S (length p) =? length m then
    radd (zero :: removelast p) (rscale (mul cN1 (last p zero)) (removelast m))
  else zero :: p.
Definition number_field := extension times_alpha.
End Compute.
Arguments number_field {C}.

Section Sound.
Variables (A : signature) (rA : ring A) (C : arithmetic) (v : C -> A).
Hypothesis ev : evaluation rA C v.
Add Ring values : (ringP rA).
Variables (m : list C) (alpha : A).
Hypothesis monic : ceqb (last m zero) c1 = true.
Hypothesis root : horner v alpha m = zero.
Local Notation horner := (horner v alpha).

Fixpoint pow n : A := if n is S n then mul alpha (pow n) else one rA.

Lemma horner_rcons p c : horner (p ++ [c]) = add (horner p) (mul (pow (length p)) (v c)).
Proof. by elim: p => [|a p IHp] /=; rewrite ?IHp /=; ring. Qed.

Lemma horner_times_alpha p : horner (times_alpha C m p) = mul alpha (horner p).
Proof.
rewrite /times_alpha; case: Nat.eqb_spec => [eq_len|_]; last by rewrite (hornerX _ rA).
have m_neq0 : m <> [] by case: (m) eq_len.
have := root; rewrite {1}(app_removelast_last zero m_neq0) horner_rcons (eval_eq ev _ _ monic).
have -> : length (removelast m) = length p.
  by rewrite removelast_firstn_len firstn_length -eq_len Nat.min_l //; apply: Nat.le_succ_diag_r.
rewrite (eval1 ev) (hornerD _ rA) // (hornerZ _ rA) // (hornerX _ rA) // (evalM ev) (evalN1 ev) => rt.
have -> : horner (removelast m) = opp rA (pow (length p)).
  by transitivity (add (add (horner (removelast m)) (mul (pow (length p)) (one rA)))
                       (opp rA (pow (length p)))); [ring | rewrite rt; ring].
case: p {eq_len rt} => [|a p]; first by rewrite /= (eval0 ev); ring.
have p_neq0 : a :: p <> [] by [].
rewrite [in RHS](app_removelast_last zero p_neq0) horner_rcons.
have len_p : length (a :: p) = S (length (removelast (a :: p))).
  by rewrite removelast_firstn_len firstn_length Nat.min_l //; apply: Nat.le_pred_l.
by rewrite len_p; move: (removelast _) => r /=; ring.
Qed.

Lemma evaluation_number_field : evaluation rA (number_field m) horner.
Proof. by apply: (evaluation_extension _ rA _ _ ev) => p; apply: horner_times_alpha. Qed.
End Sound.
