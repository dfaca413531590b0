(******************************************************************************)
(* The error function and GELU, by Coquelicot's Riemann integral.             *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Reals QArith Qreals Lra.
From Coquelicot Require Import Coquelicot.
From Identcert Require Import Network Ring Rational Law Activations ActivationFacts Classes.
Open Scope R_scope.

Definition gaussian (u : R) := exp (- u ^ 2).
Definition erf (t : R) := 2 / sqrt PI * RInt gaussian 0 t.
Definition gelu (t : R) := t / 2 * (1 + erf (t / sqrt 2)).

Lemma gaussian_integrable a b : ex_RInt gaussian a b.
Proof.
apply: ex_RInt_continuous => u _; apply: ex_derive_continuous.
by rewrite /gaussian; auto_derive.
Qed.

Lemma erf_odd : odd erf.
Proof.
move=> t; rewrite /erf Ropp_mult_distr_r; congr (_ * _); apply: is_RInt_unique.
have /is_RInt_comp_opp : is_RInt gaussian (- - 0) (- - t) (RInt gaussian 0 t).
  by rewrite !Ropp_involutive; apply: RInt_correct; apply: gaussian_integrable.
rewrite Ropp_0 => /is_RInt_opp; apply: is_RInt_ext => u _.
by rewrite opp_opp /gaussian; congr exp; ring.
Qed.

Lemma gelu0 : gelu 0 = Q2R 0.
Proof. by rewrite /gelu Q2R0; lra. Qed.

Lemma gelu_mirror t : gelu (- t) = gelu t + Q2R (-1) * t.
Proof.
rewrite /gelu Q2RN1; have -> : - t / sqrt 2 = - (t / sqrt 2) by rewrite /Rdiv; ring.
by rewrite erf_odd; field.
Qed.

Definition erf_class K := odd_class K erf erf_odd.
Definition gelu_class K :=
  mirrored_class K (known_class K gelu _ (at0P K _ _ gelu0)) (-1)%Q gelu_mirror.
