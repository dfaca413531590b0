(******************************************************************************)
(* The classes of the usual activations, for coefficients that are read as    *)
(* real numbers.                                                              *)
(*                                                                            *)
(*   real_coefficients == coefficients with their real values, the rational   *)
(*                numbers among them, a test of sign, and a division that     *)
(*                nothing relies on                                           *)
(*       Q_real == the rational coefficients                                  *)
(* tanh_class K == tanh with its law; likewise arctan_class, sin_class,       *)
(*                logistic_class, softplus_class, silu_class, elu_class,      *)
(*                relu_class, leaky_relu_class s, abs_class, hard_tanh_class, *)
(*                relu6_class, identity_class, polynomial_class c p,          *)
(*                power_class r                                               *)
(* free_class s == any function s; odd_class s s_odd == any odd function s    *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Reals QArith Qreals Qabs Lra.
From Identcert Require Import Network Ring Rows Rational Law Polynomial Activations
  ActivationFacts Certificate.
Import ListNotations.
Open Scope R_scope.

Record real_coefficients := RealCoefficients {
  numbers :> arithmetic;
  value : numbers -> R;
  value_evaluation : evaluation R_ring numbers value;
  rational : Q -> numbers;
  rationalP : forall q, value (rational q) = Q2R q;
  as_rational : numbers -> option Q;
  as_rationalP : forall c q, as_rational c = Some q -> value c = Q2R q;
  positive : numbers -> bool;
  positiveP : forall c, positive c -> 0 < value c;
  divide : numbers -> numbers -> numbers }.
Arguments value {_}.
Arguments rational {_}.
Arguments as_rational {_}.
Arguments positive {_}.
Arguments divide {_}.

Definition qpositive (c : Q) := Z.ltb 0 (Qnum c).
Lemma qpositiveP c : qpositive c -> 0 < Q2R c.
Proof.
case: c => n d /Z.ltb_lt /= /IZR_lt n_gt0; rewrite /Q2R /=; apply: Rmult_lt_0_compat => //.
exact/Rinv_0_lt_compat/IZR_lt.
Qed.

Lemma some_rational (c q : Q) : Some c = Some q -> Q2R c = Q2R q.
Proof. by case=> ->. Qed.

Definition qdivide (a b : Q) : Q := Qred (a / b).
Definition rational_quotient {T} (rational : Q -> T) (as_rational : T -> option Q) (a b : T) : T :=
  match as_rational a, as_rational b with
  | Some p, Some q => rational (qdivide p q)
  | _, _ => rational 1%Q
  end.

Definition Q_real : real_coefficients :=
  RealCoefficients Q_arithmetic Q2R Q2R_evaluation (fun q => q) (fun=> erefl) Some some_rational
    qpositive qpositiveP qdivide.

Section Classes.
Variable K : real_coefficients.
Let v : K -> R := value.
Let ev : evaluation R_ring K v := value_evaluation K.
Implicit Types (sigma : R -> R) (c d : K).

(* the values at rational points *)
Definition at_rational (f : Q -> option Q) c : option K :=
  obind (fun q => omap rational (f q)) (as_rational c).
Lemma at_rationalP f sigma : (forall q r, f q = Some r -> sigma (Q2R q) = Q2R r) ->
  valued v (at_rational f) sigma.
Proof.
move=> fP c d; rewrite /at_rational; case def_q: as_rational => [q|] //=.
case def_r: (f q) => [r|] //= [<-]; rewrite /v rationalP (as_rationalP _ _ _ def_q); exact: fP.
Qed.

Definition everywhere (f : Q -> Q) q := Some (f q).
Lemma everywhereP f sigma : (forall q, sigma (Q2R q) = Q2R (f q)) ->
  valued v (at_rational (everywhere f)) sigma.
Proof. by move=> fP; apply: at_rationalP => q _ [<-]. Qed.

Definition at0 (r q : Q) := if qeqb q 0 then Some r else None.
Lemma at0P r sigma : sigma 0 = Q2R r -> valued v (at_rational (at0 r)) sigma.
Proof.
move=> def_r; apply: at_rationalP => q s; rewrite /at0; case: ifP => // /qeqbE /Qeq_eqR -> [<-].
by rewrite Q2R0.
Qed.

Definition nowhere (q : Q) : option Q := None.
Lemma nowhereP sigma : valued v (at_rational nowhere) sigma.
Proof. exact: at_rationalP. Qed.

Definition known_class sigma value valueP : class v :=
  Class v sigma _ (free_lawful _ R_ring _ _ ev value _ valueP).
Definition mirrored_class (c : class v) (m : Q)
    (mir : forall t, sigma_of c (- t) = sigma_of c t + Q2R m * t) : class v.
Proof.
refine (Class v (sigma_of c) (mirrored K c1 (rational m) (law_of c))
  (mirrored_lawful _ R_ring _ _ _ _ _ _ (class_lawful c) (fun t => _))).
by rewrite mir (eval1 ev) /v rationalP /=; ring.
Defined.
Definition free_class sigma := known_class sigma _ (nowhereP sigma).
Definition softplus_class := mirrored_class (free_class softplus) (-1)%Q softplus_mirror.
Definition silu_class := mirrored_class (known_class silu _ (at0P _ _ silu0)) (-1)%Q silu_mirror.
Definition elu_class := known_class elu _ (at_rationalP _ _ elu_rational).

Lemma reflection_of sigma (b n : Q) : (forall t, sigma (Q2R b - t) = -1 * sigma t + Q2R n) ->
  forall t, sigma (v (rational b) - t) = v (@cN1 K) * sigma t + v (rational n).
Proof. by move=> refl t; rewrite (evalN1 ev) /v !rationalP refl /=; lra. Qed.

Definition reflection_class sigma b n refl value valueP : class v :=
  Class v sigma _ (reflection_lawful _ R_ring _ _ ev (rational b) cN1 (rational n) value _
    valueP (reflection_of sigma b n refl)).

Lemma odd_reflection sigma : odd sigma -> forall t, sigma (Q2R 0 - t) = -1 * sigma t + Q2R 0.
Proof. by move=> sigma_odd t; rewrite Q2R0 Rminus_0_l sigma_odd; lra. Qed.
Lemma odd_at0 sigma : odd sigma -> valued v (at_rational (at0 0%Q)) sigma.
Proof. by move=> sigma_odd; apply: at0P; rewrite Q2R0 odd0. Qed.

Definition odd_class sigma sigma_odd :=
  reflection_class sigma 0%Q 0%Q (odd_reflection sigma sigma_odd) _ (odd_at0 sigma sigma_odd).
Definition tanh_class := odd_class tanh tanh_odd.
Definition arctan_class := odd_class atan atan_opp.
Definition sin_class := odd_class sin sin_neg.
Definition hard_tanh_class := reflection_class hard_tanh 0%Q 0%Q (odd_reflection _ hard_tanh_odd)
  _ (everywhereP _ _ hard_tanh_rational).

Lemma relu6_reflectionQ t : relu6 (Q2R 6 - t) = -1 * relu6 t + Q2R 6.
Proof. by rewrite (Q2R_inject 6) relu6_reflection. Qed.
Definition relu6_class := reflection_class relu6 6%Q 6%Q relu6_reflectionQ
  _ (everywhereP _ _ relu6_rational).

Lemma logistic_reflectionQ t : logistic (Q2R 0 - t) = -1 * logistic t + Q2R 1.
Proof. by rewrite Q2R0 Q2R1 logistic_reflection. Qed.
Definition logistic_class := reflection_class logistic 0%Q 1%Q logistic_reflectionQ
  _ (at0P _ _ logistic0).

Lemma reluMv c : positive c -> forall t, relu (v c * t) = v c * relu t.
Proof. by move=> /positiveP pos t; apply: reluM. Qed.
Definition relu_class := mirrored_class (Class v relu _
  (homogeneous_lawful _ R_ring _ _ ev positive _ _ (everywhereP _ _ relu_rational) reluMv))
  (-1)%Q relu_mirror.

Lemma leaky_reluMv s c : positive c -> forall t, leaky_relu s (v c * t) = v c * leaky_relu s t.
Proof. by move=> /positiveP pos t; apply: leaky_reluM. Qed.
Definition leaky_relu_class s := mirrored_class (Class v (leaky_relu s) _
  (homogeneous_lawful _ R_ring _ _ ev positive _ _ (everywhereP _ _ (leaky_relu_rational s))
     (leaky_reluMv s))) (- (1 + s))%Q (leaky_relu_mirror s).

Lemma absMv c : positive c -> forall t, Rabs (v c * t) = v c * Rabs t.
Proof. by move=> /positiveP pos t; apply: absM. Qed.
Definition abs_class := Class v Rabs _
  (absolute_lawful _ R_ring _ _ ev positive _ _ (everywhereP _ _ (fun q => esym (Q2R_abs q)))
     Rabs_Ropp absMv).

Definition embed (p : list Q) : list K := map rational p.
Lemma horner_embed t p : horner Q2R t p = horner v t (embed p).
Proof. by elim: p => //= c p ->; rewrite /v rationalP. Qed.

Definition polynomial_class (centre : Q) p : class v := Class v (polynomial p) _
  (polynomial_lawful _ R_ring _ _ ev (rational centre) (embed p) _ (fun t => horner_embed t p)).
Definition power_class r : class v := Class v (fun t => t ^ r) _
  (polynomial_lawful _ R_ring _ _ ev zero (embed (repeat 0%Q r ++ [1%Q])) _
     (fun t => etrans (power_horner r t) (horner_embed t _))).

Lemma identity_lawfulv : lawful v (identity_law K) identity.
Proof. exact: (identity_lawful _ R_ring _ _ ev). Qed.
Definition identity_class : class v := Class v identity _ identity_lawfulv.
End Classes.
