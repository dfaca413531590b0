(******************************************************************************)
(* Coefficients with parameters: rational functions over Q, at real values of *)
(* the parameters where no denominator vanishes.                              *)
(*                                                                            *)
(*      mpoly C n == polynomials in n variables, as polynomials in the first  *)
(*                   whose coefficients are polynomials in the others         *)
(*  mval v n xs p == the value of p at xs                                     *)
(*   parametric n == polynomials over Q in n parameters                       *)
(*     fraction n == pairs (p, e): p over the product of powers ds_i ^ e_i    *)
(*                   of given denominators ds                                 *)
(* at_values ds xs c == the value of the fraction c at the list xs            *)
(* nonvanishing ds xs == no denominator is zero at xs                         *)
(*  fraction_real == the coefficients; only constants have a sign             *)
(* specialised ds qs c == the fraction c at rational values qs, where         *)
(*                   nonzero_at ds qs says that no denominator is zero        *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Reals QArith Qreals Ring Field.
From Identcert Require Import Network Ring Rows Rational Polynomial Activations
  ActivationFacts Classes.
Import ListNotations.

Fixpoint mpoly (C : arithmetic) n : arithmetic := if n is S n then polynomials (mpoly C n) else C.
Fixpoint constant_poly {C : arithmetic} n : C -> mpoly C n :=
  if n is S n then fun c => [constant_poly n c] else fun c => c.

Section Values.
Variables (A : signature) (rA : ring A) (C : arithmetic) (v : C -> A).
Hypothesis ev : evaluation rA C v.
Add Ring values : (ringP rA).

Fixpoint mval n (x : list A) : mpoly C n -> A :=
  if n is S n then fun p => horner (mval n (tl x)) (hd zero x) p else v.

Lemma mval_evaluation n x : evaluation rA (mpoly C n) (mval n x).
Proof. by elim: n x => //= n IHn x; apply: evaluation_polynomials. Qed.

Lemma mval_constant n x c : mval n x (constant_poly n c) = v c.
Proof. by elim: n x => //= n IHn x; rewrite IHn; ring. Qed.
End Values.

Definition parametric (n : nat) : arithmetic := mpoly Q_arithmetic n.

Section Compute.
Variables (n : nat) (ds : list (parametric n)).
Definition fraction := (parametric n * list nat)%type.
Implicit Types (c d : fraction) (e : list nat).

Fixpoint nth_power (p : parametric n) k : parametric n := if k is S k then mul p (nth_power p k) else c1.
Fixpoint denominator (ds : list (parametric n)) e : parametric n :=
  if ds is d :: ds then mul (nth_power d (hd 0%nat e)) (denominator ds (tl e)) else c1.
Fixpoint plus_exponents e e' : list nat :=
  match e, e' with
  | k :: e, k' :: e' => (k + k')%nat :: plus_exponents e e'
  | [], _ => e'
  | _, [] => e
  end.
Fixpoint minus_exponents e e' : list nat :=
  match e, e' with
  | k :: e, k' :: e' => (k - k')%nat :: minus_exponents e e'
  | _, _ => e
  end.
Definition is_sum e m e' := if list_eq_dec Nat.eq_dec (plus_exponents e m) e' then true else false.

Lemma is_sumP e m e' : is_sum e m e' -> plus_exponents e m = e'.
Proof. by rewrite /is_sum; case: list_eq_dec. Qed.

Definition fraction_add c d : fraction :=
  let (p, e) := c in let (q, e') := d in
  let m := minus_exponents e' e in
  let m' := minus_exponents e e' in
  if is_sum e m e' then (add (mul p (denominator ds m)) q, e')
  else if is_sum e' m' e then (add p (mul q (denominator ds m')), e)
  else (add (mul p (denominator ds e')) (mul q (denominator ds e)), plus_exponents e e').
Definition fraction_mul c d : fraction := (mul (fst c) (fst d), plus_exponents (snd c) (snd d)).
Definition fraction_eq c d : bool :=
  ceqb (mul (fst c) (denominator ds (snd d))) (mul (fst d) (denominator ds (snd c))).
Definition fractions : arithmetic :=
  Arithmetic (Signature fraction (zero, []) fraction_add fraction_mul) (c1, []) (cN1, []) fraction_eq.
End Compute.

Definition at_point {n} (xs : list R) (p : parametric n) : R := mval R_signature Q_arithmetic Q2R n xs p.
Definition at_values {n} ds (xs : list R) (c : fraction n) : R :=
  (at_point xs (fst c) / at_point xs (denominator n ds (snd c)))%R.
Definition nonvanishing {n} (ds : list (parametric n)) (xs : list R) : Prop :=
  Forall (fun d => at_point xs d <> 0%R) ds.

Section Evaluation.
Variables (n : nat) (ds : list (parametric n)) (xs : list R).
Hypothesis ds_neq0 : nonvanishing ds xs.
Local Open Scope R_scope.
Let ev : evaluation R_ring (parametric n) (at_point xs) :=
  mval_evaluation _ R_ring _ _ Q2R_evaluation n xs.
Let v := at_values ds xs.
Local Notation value := (at_point xs).
Local Notation D e := (value (denominator n ds e)).

Lemma value_power d k : value (nth_power n d k) = value d ^ k.
Proof. by elim: k => [|k IHk] /=; rewrite ?(evalM ev) ?(eval1 ev) ?IHk. Qed.

Lemma denominator_neq0 e : D e <> 0.
Proof.
elim: ds_neq0 e => [|d ds' d_neq0 _ IHds] e /=; first by rewrite (eval1 ev); apply: R1_neq_R0.
rewrite (evalM ev) value_power; apply: Rmult_integral_contrapositive_currified => //.
exact: pow_nonzero.
Qed.

Lemma hd_plus e e' : hd 0%nat (plus_exponents e e') = (hd 0 e + hd 0 e')%nat.
Proof. by case: e e' => [|k e] [|k' e'] //=; rewrite Nat.add_0_r. Qed.
Lemma tl_plus e e' : tl (plus_exponents e e') = plus_exponents (tl e) (tl e').
Proof. by case: e e' => [|k e] [|k' e'] //=; case: e. Qed.

Lemma denominator_plus ds' e e' : value (denominator n ds' (plus_exponents e e'))
  = value (denominator n ds' e) * value (denominator n ds' e').
Proof.
elim: ds' e e' => [|d ds' IHds] e e' /=; first by rewrite (eval1 ev) /=; ring.
by rewrite !(evalM ev) hd_plus tl_plus IHds !value_power pow_add /=; ring.
Qed.

Lemma denominator1 ds' : value (denominator n ds' []) = 1.
Proof. by elim: ds' => [|d ds' IHds] /=; rewrite ?(evalM ev) ?IHds (eval1 ev) /=; ring. Qed.

Lemma fractions_evaluation : evaluation R_ring (fractions n ds) v.
Proof.
have D0 e := denominator_neq0 e.
split=> [|||[p e] [q e']|[p e] [q e']|[p e] [q e'] /(eval_eq ev)]; rewrite /v /at_values /=.
- by rewrite (eval0 ev) /Rdiv Rmult_0_l.
- by rewrite denominator1 (eval1 ev) /Rdiv Rinv_1 Rmult_1_r.
- by rewrite denominator1 (evalN1 ev) /Rdiv Rinv_1 Rmult_1_r.
- case: ifP => [/is_sumP def_e'|_].
    have eq_D : D e' = D e * D (minus_exponents e' e) by rewrite -denominator_plus def_e'.
    by rewrite /= (evalD ev) (evalM ev) eq_D /=; field; split; apply: D0.
  case: ifP => [/is_sumP def_e|_].
    have eq_D : D e = D e' * D (minus_exponents e e') by rewrite -denominator_plus def_e.
    by rewrite /= (evalD ev) (evalM ev) eq_D /=; field; split; apply: D0.
  by rewrite /= denominator_plus (evalD ev) !(evalM ev) /=; field; split; apply: D0.
- by rewrite denominator_plus (evalM ev) /=; field; split; apply: D0.
- rewrite !(evalM ev) /= => eq_pq; have [De De'] := (D0 e, D0 e').
  apply: (Rmult_eq_reg_r (D e * D e')); last exact: Rmult_integral_contrapositive_currified.
  by transitivity (value p * D e'); [field | rewrite eq_pq; field].
Qed.

Definition fraction_rational (q : Q) : fraction n := (constant_poly (C := Q_arithmetic) n q, []).
Lemma fraction_rationalP q : v (fraction_rational q) = Q2R q.
Proof.
rewrite /v /at_values /= /at_point (mval_constant _ R_ring).
rewrite -/(at_point xs _) denominator1 /Rdiv Rinv_1 Rmult_1_r.
by [].
Qed.

(* the leading coefficient in one order of the monomials; nothing relies on it *)
Fixpoint leading n : parametric n -> Q :=
  if n is S n then fun p => leading n (last p zero) else fun c => c.
Definition fraction_as_rational (c : fraction n) : option Q :=
  let d := denominator n ds (snd c) in
  let q := qdivide (leading n (fst c)) (leading n d) in
  if ceqb (fst c) (mul (constant_poly (C := Q_arithmetic) n q) d) then Some q else None.
Lemma fraction_as_rationalP c q : fraction_as_rational c = Some q -> v c = Q2R q.
Proof.
rewrite /fraction_as_rational; case: ifP => // /(eval_eq ev) def_c [<-]; rewrite /v /at_values def_c.
rewrite (evalM ev) /= {1}/at_point (mval_constant _ R_ring) /=; field.
exact: denominator_neq0.
Qed.

Definition fraction_positive (c : fraction n) : bool :=
  if fraction_as_rational c is Some q then qpositive q else false.
Lemma fraction_positiveP c : fraction_positive c -> 0 < v c.
Proof.
rewrite /fraction_positive; case def_q: fraction_as_rational => [q|] // /qpositiveP.
by rewrite (fraction_as_rationalP _ _ def_q).
Qed.

Definition fraction_real : real_coefficients :=
  RealCoefficients (fractions n ds) v fractions_evaluation fraction_rational fraction_rationalP
    fraction_as_rational fraction_as_rationalP fraction_positive fraction_positiveP
    (rational_quotient fraction_rational fraction_as_rational).
End Evaluation.

(* values at rational parameters *)
Definition rational_point {n} (qs : list Q) (p : parametric n) : Q :=
  mval Q_signature Q_arithmetic (fun c => c) n qs p.
Definition specialised {n} ds (qs : list Q) (c : fraction n) : Q :=
  Qred (rational_point qs (fst c) / rational_point qs (denominator n ds (snd c))).

Lemma rational_pointP n qs (p : parametric n) : at_point (map Q2R qs) p = Q2R (rational_point qs p).
Proof.
rewrite /at_point /rational_point; elim: n qs p => //= n IHn qs p.
have -> : hd 0%R (map Q2R qs) = Q2R (hd 0%Q qs) by case: qs => [|q qs] //=; rewrite Q2R0.
have -> : tl (map Q2R qs) = map Q2R (tl qs) by case: qs.
elim: p => [|c p IHp] /=; first by rewrite Q2R0.
by rewrite IHp IHn (evalD Q2R_evaluation) (evalM Q2R_evaluation).
Qed.

Definition nonzero_at {n} (ds : list (parametric n)) (qs : list Q) : bool :=
  forallb (fun d => negb (Qeq_bool (rational_point qs d) 0)) ds.

Lemma nonzero_atP n (ds : list (parametric n)) qs :
  nonzero_at ds qs = true -> nonvanishing ds (map Q2R qs).
Proof.
move=> /forallb_forall ds_neq0; apply/Forall_forall => d /ds_neq0 /negP d_neq0.
rewrite rational_pointP => d0; apply/d_neq0/Qeq_bool_iff/eqR_Qeq.
by rewrite d0 Q2R0.
Qed.

Lemma specialisedP n ds qs (c : fraction n) : nonzero_at ds qs = true ->
  at_values ds (map Q2R qs) c = Q2R (specialised ds qs c).
Proof.
move=> /nonzero_atP ds_neq0; have := denominator_neq0 n ds (map Q2R qs) ds_neq0 (snd c).
rewrite /at_values /specialised !rational_pointP (Qeq_eqR _ _ (Qred_correct _)) => D_neq0.
rewrite Q2R_div // => D0; apply: D_neq0.
by rewrite (Qeq_eqR _ _ D0) Q2R0.
Qed.
