(******************************************************************************)
(* Coefficients in Q(alpha), for a real root alpha of a monic polynomial m,   *)
(* by coordinates.                                                            *)
(*                                                                            *)
(* at_root alpha c == the number c_0 + c_1 alpha + c_2 alpha^2 + ...          *)
(*   root_in m lo hi alpha == alpha is a root of m between lo and hi          *)
(*   root_exists == there is one, when m changes its sign                     *)
(*  root_refined == it lies in a smaller interval, outside which m has none   *)
(* algebraic_real == the coefficients, with signs by intervals over Q         *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Reals QArith Qreals Qminmax Lra.
From Identcert Require Import Network Ring Rows Rational Polynomial NumberField Activations
  ActivationFacts Classes.
Import ListNotations.
Open Scope R_scope.

Definition at_root (alpha : R) (c : list Q) : R := polynomial c alpha.
Definition root_in (m : list Q) (lo hi : Q) (alpha : R) : Prop :=
  Q2R lo <= alpha <= Q2R hi /\ polynomial m alpha = 0.

Lemma polynomial_continuous p : continuity (polynomial p).
Proof.
elim: p => [|c p IHp]; first exact: continuity_const.
apply: continuity_plus; first exact: continuity_const.
by apply: continuity_mult => //; apply: derivable_continuous; apply: derivable_id.
Qed.

Lemma polynomial_rational p q : polynomial p (Q2R q) = Q2R (value_at (C := Q_arithmetic) p q).
Proof. exact: (horner_value _ R_ring _ _ Q2R_evaluation). Qed.

Lemma root_exists m lo hi :
  Qle_bool lo hi && Qle_bool (qmul (value_at (C := Q_arithmetic) m lo) (value_at (C := Q_arithmetic) m hi)) 0 = true ->
  exists alpha, root_in m lo hi alpha.
Proof.
case/andP=> /Qle_bool_iff/Qle_Rle le_lh /Qle_bool_iff/Qle_Rle.
rewrite (evalM Q2R_evaluation) Q2R0 -!polynomial_rational => sign.
have [alpha [in_lh root]] := IVT_cor _ _ _ (polynomial_continuous m) le_lh sign.
by exists alpha.
Qed.

(* intervals with rational ends *)
Definition between (b : Q * Q) (t : R) := Q2R (fst b) <= t <= Q2R (snd b).
Definition product_bounds (a b : Q * Q) : Q * Q :=
  let p := qmul (fst a) (fst b) in let q := qmul (fst a) (snd b) in
  let r := qmul (snd a) (fst b) in let s := qmul (snd a) (snd b) in
  (Qmin (Qmin p q) (Qmin r s), Qmax (Qmax p q) (Qmax r s)).
Definition sum_bounds (q : Q) (a : Q * Q) : Q * Q := (qadd q (fst a), qadd q (snd a)).
Fixpoint bounds (b : Q * Q) (c : list Q) : Q * Q :=
  if c is q :: c then sum_bounds q (product_bounds b (bounds b c)) else (0, 0)%Q.

Lemma mul_between l u s t : l <= s <= u -> Rmin (l * t) (u * t) <= s * t <= Rmax (l * t) (u * t).
Proof.
move=> [le_l le_u]; have := Rmin_l (l * t) (u * t); have := Rmin_r (l * t) (u * t).
have := Rmax_l (l * t) (u * t); have := Rmax_r (l * t) (u * t).
by case: (Rle_dec 0 t) => sgn; split; nra.
Qed.

Lemma product_boundsP a b s t : between a s -> between b t -> between (product_bounds a b) (s * t).
Proof.
move=> in_a in_b; rewrite /between /= !Q2R_min !Q2R_max !(evalM Q2R_evaluation) /=.
have := mul_between _ _ _ t in_a; have := mul_between _ _ _ (Q2R (fst a)) in_b.
have := mul_between _ _ _ (Q2R (snd a)) in_b.
rewrite ![_ * Q2R (fst a)]Rmult_comm ![_ * Q2R (snd a)]Rmult_comm.
by rewrite /Rmin /Rmax; repeat case: Rle_dec => ?; lra.
Qed.

Lemma sum_boundsP q a s : between a s -> between (sum_bounds q a) (Q2R q + s).
Proof. by rewrite /between /= !(evalD Q2R_evaluation) /=; lra. Qed.

Lemma boundsP b c t : between b t -> between (bounds b c) (polynomial c t).
Proof.
move=> in_b; elim: c => [|q c IHc]; first by rewrite /between /polynomial /= Q2R0; lra.
exact/sum_boundsP/product_boundsP.
Qed.

(* a smaller interval for the same root; `if` and not `&&`, for a machine that is strict *)
Definition signed_bounds (b : Q * Q) := qpositive (fst b) || qpositive (- snd b).
Definition middle (lo hi : Q) : Q := qmul (1 # 2) (qadd lo hi).
Fixpoint rootless fuel (m : list Q) (lo hi : Q) : bool :=
  if signed_bounds (bounds (lo, hi) m) then true
  else if fuel is S fuel then
    if rootless fuel m lo (middle lo hi) then rootless fuel m (middle lo hi) hi else false
  else false.

Lemma signed_boundsP b t : signed_bounds b -> between b t -> t <> 0.
Proof. by case/orP=> /qpositiveP; rewrite ?Q2R_opp /between; lra. Qed.

Lemma rootlessP fuel m lo hi t : rootless fuel m lo hi -> between (lo, hi) t -> polynomial m t <> 0.
Proof.
elim: fuel lo hi => [|fuel IHfuel] lo hi /=; case: ifP => [/signed_boundsP sgn _ /boundsP /sgn|] //.
case: ifP => // /IHfuel left_half _ /IHfuel right_half; rewrite /between /= => in_lh.
case: (Rle_dec t (Q2R (middle lo hi))) => [le_mid|/Rnot_le_lt/Rlt_le ge_mid].
  by apply: left_half; rewrite /between /=; lra.
by apply: right_half; rewrite /between /=; lra.
Qed.

Lemma root_refined fuel m lo hi lo' hi' alpha :
  rootless fuel m lo lo' && rootless fuel m hi' hi = true ->
  root_in m lo hi alpha -> root_in m lo' hi' alpha.
Proof.
move=> /andP[/rootlessP no_left /rootlessP no_right] [in_lh root]; split=> //.
split; apply: Rnot_lt_le => lt_alpha.
  by apply: (no_left alpha) root; rewrite /between /=; lra.
by apply: (no_right alpha) root; rewrite /between /=; lra.
Qed.

Section Coefficients.
Variables (m : list Q) (lo hi : Q) (alpha : R).
Hypotheses (monic : qeqb (last m 0%Q) 1 = true) (alpha_root : root_in m lo hi alpha).
Let C := number_field (C := Q_arithmetic) m.
Let v : C -> R := at_root alpha.

Lemma algebraic_evaluation : evaluation R_ring C v.
Proof.
exact: (evaluation_number_field _ R_ring _ _ Q2R_evaluation m alpha monic (proj2 alpha_root)).
Qed.

Lemma algebraic_rational q : v [q] = Q2R q.
Proof. by rewrite /v /at_root /polynomial /= Rmult_0_r Rplus_0_r. Qed.

Definition algebraic_as_rational (c : C) : option Q :=
  if c is q :: c then if rzero (C := Q_arithmetic) c then Some q else None else Some 0%Q.
Lemma algebraic_as_rationalP c q : algebraic_as_rational c = Some q -> v c = Q2R q.
Proof.
case: c => [|a c] /=; first by case=> <-; rewrite Q2R0.
case: ifP => // /(horner0 _ R_ring _ _ Q2R_evaluation alpha) c0 [<-].
by rewrite /v /at_root /polynomial /= c0 Rmult_0_r Rplus_0_r.
Qed.

Definition algebraic_positive (c : C) : bool := qpositive (fst (bounds (lo, hi) c)).
Lemma algebraic_positiveP c : algebraic_positive c -> 0 < v c.
Proof.
move=> /qpositiveP pos; apply: Rlt_le_trans pos _.
exact: (proj1 (boundsP (lo, hi) c alpha (proj1 alpha_root))).
Qed.

(* the inverse of c by Euclid's algorithm, where there is one; nothing relies on it *)
Fixpoint stripped (p : list Q) : list Q :=
  if p is q :: p then
    if stripped p is [] then if qeqb q 0 then [] else [q] else q :: stripped p
  else [].
Definition shifted_multiple k (q : Q) (p : list Q) := repeat 0%Q k ++ map (qmul q) p.
Fixpoint euclid fuel (r0 s0 r1 s1 : list Q) : list Q :=
  if fuel is S fuel then
    match r1 with
    | [] => []
    | [q] => map (qmul (/ q)%Q) s1
    | _ =>
        if (length r0 <? length r1)%nat then euclid fuel r1 s1 r0 s0
        else
          let k := (length r0 - length r1)%nat in
          let q := Qred (- (last r0 0 / last r1 0))%Q in
          euclid fuel (stripped (radd (C := Q_arithmetic) r0 (shifted_multiple k q r1)))
            (radd (C := Q_arithmetic) s0 (shifted_multiple k q s1)) r1 s1
    end
  else [].
Definition algebraic_quotient (a b : C) : C :=
  mul a (euclid (4 * length m) m [] (stripped b) [1%Q]).

Definition algebraic_real : real_coefficients :=
  RealCoefficients C v algebraic_evaluation (fun q => [q]) algebraic_rational
    algebraic_as_rational algebraic_as_rationalP algebraic_positive algebraic_positiveP
    algebraic_quotient.
End Coefficients.
