(******************************************************************************)
(* Refutation over the reals, by a rational point and a rational gap.         *)
(*                                                                            *)
(* gap v net rho tau x j == the distance between the components j of            *)
(*                network net (apply rho x) and apply tau (network net x)     *)
(* gap_rational == coefficients with rational values q c make it a gap over Q *)
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

(* A network whose coefficients have rational values is one over Q. *)
Section Specialise.
Variables (C : Type) (v : C -> R) (q : C -> Q).
Hypothesis vq : forall c, v c = Q2R (q c).

Definition rational_layer (l : layer C R) : layer Q R :=
  Layer (map (map q) (weight l)) (map q (bias l)) (activation l).
Definition rational_network (net : list (layer C R)) := map rational_layer net.
Definition rational_action (rho : action C) : action Q :=
  map (fun row => (map (fun ia => (fst ia, q (snd ia))) (fst row), q (snd row))) rho.

Lemma dot_rational w x : dot v w x = dot Q2R (map q w) x.
Proof. by elim: w x => [|c w IHw] [|t x] //=; rewrite IHw vq. Qed.

Lemma affine_rational W b x : affine v W b x = affine Q2R (map (map q) W) (map q b) x.
Proof. by elim: W b => [|w W IHW] [|c b] //=; rewrite IHW dot_rational vq. Qed.

Lemma network_rational net x : network v net x = network Q2R (rational_network net) x.
Proof. by elim: net x => //= l net IHnet x; rewrite affine_rational IHnet. Qed.

Lemma apply_rational rho x : apply v rho x = apply Q2R (rational_action rho) x.
Proof.
elim: rho => //= -[r c] rho ->; congr (add _ _ :: _); last exact: vq.
by elim: r => //= -[i a] r ->; rewrite vq.
Qed.

Lemma gap_rational net rho tau x j : gap v net rho tau x j =
  gap Q2R (rational_network net) (rational_action rho) (rational_action tau) x j.
Proof. by rewrite /gap !network_rational !apply_rational. Qed.
End Specialise.
