(******************************************************************************)
(* Refutation over the reals, by a rational point and a rational gap.         *)
(*                                                                            *)
(* gap v net rho tau x j == the distance between the components j of            *)
(*                network net (apply rho x) and apply tau (network net x)     *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Reals QArith Qreals Qabs Lra.
From Identcert Require Import Network Ring Rational Law Activations ActivationFacts Classes Certificate Refutation.
Import ListNotations.
Open Scope R_scope.

Definition gap {C} (v : C -> R) (net : list (layer C R)) (rho tau : action C) (x : list R) (j : nat) : R :=
  Rabs (nth j (network v net (apply v rho x)) 0 - nth j (apply v tau (network v net x)) 0).

Section Exact.
Variables (classes : list (class Q2R)) (names : list nat) (net : list (layer Q R)).
Hypothesis def_activations :
  map activation net = map (sigma _ R_ring _ _ Q2R_evaluation classes) names.

Definition exact_gap (rho tau : action Q) (q : list Q) (j : nat) (d : Q) : bool :=
  if exact_sides _ R_ring _ _ Q2R_evaluation classes names net rho tau q j is Some (a, b)
  then Qle_bool d (Qabs (a - b)) else false.

Theorem exact_gap_sound rho tau q j d : exact_gap rho tau q j d = true ->
  gap Q2R net rho tau (map Q2R q) j >= Q2R d.
Proof.
rewrite /exact_gap; case def_ab: exact_sides => [[a b]|] // /Qle_bool_iff/Qle_Rle.
have [eq_a eq_b] := exact_sides_sound _ R_ring Q_arithmetic _ Q2R_evaluation _ _ _ def_activations _ _ _ _ _ _ def_ab.
by rewrite /gap [X in Rabs (X - _)]eq_a [X in Rabs (_ - X)]eq_b Q2R_abs Q2R_minus => /Rle_ge.
Qed.
End Exact.

Theorem gap_refutes C (v : C -> R) G (rho tau : G -> action C) net n g x j d : length x = n ->
  qpositive d = true -> gap v net (rho g) (tau g) x j >= Q2R d ->
  ~ forall w x, length x = n -> network v net (word v rho w x) = word v tau w (network v net x).
Proof.
move=> len_x pos gap_d; apply: (refuted_at _ _ _ _ _ g x j len_x) => eq_j.
have d_gt0 := qpositiveP _ pos.
by move: gap_d; rewrite /gap [X in Rabs (X - _)]eq_j Rminus_eq_0 Rabs_R0; lra.
Qed.
