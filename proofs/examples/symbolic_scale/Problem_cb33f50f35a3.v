(* A network of widths 2 - 2 - 1 - 1 and an action on its inputs and outputs.                     *)

(* The words of the library; their definitions are in Network.v, Rational.v, Actions.v.           *)
(*   at_values: the value of a rational function at the parameters                                *)
(*   over d M: the matrix M / d, by its rows; over1 d b: the vector b / d                         *)
(*   Layer W b s: the map x |-> s(W x + b), with s applied to every entry                         *)
(*   network v net x: the output at x; v reads the numbers of net as real numbers                 *)
(*   permutation C p: the map x |-> (x_(p_0), x_(p_1), ...)                                       *)
(*   word v rho w x: rho_(w_0) (rho_(w_1) (... x)) for a list w of generators                     *)
(*   layerwise v net [rho_0; rho_1; ...]: layer i carries rho_i to rho_(i+1)                      *)

From Coq Require Import List ZArith QArith Qreals Reals.
From Identcert Require Import Network Ring Rational Actions Activations
  ActivationFacts Classes Parametric.
Import ListNotations.
Local Open Scope Z_scope.

(* numbers are rational functions of a, b: (p, e) is the polynomial p, by powers
   of the first parameter, over the powers e of the denominators *)
Definition denominators : list (parametric 2) :=
  [[[0%Q; 1%Q]]].
Definition K : arithmetic := fractions 2 denominators.

Definition W0 : list (list K) :=
  [[([[]; [1%Q]], []%nat); ([[]; [2%Q]], []%nat)];
   [([[]; [4%Q]], []%nat); ([[]; [2%Q]], []%nat)]].
Definition b0 : list K :=
  [([], []%nat); ([], []%nat)].

Definition W1 : list (list K) :=
  [[([[1%Q]], []%nat); ([[(1 # 2)%Q]], []%nat)]].
Definition b1 : list K :=
  [([], []%nat)].

Definition W2 : list (list K) :=
  [[([[]; [1%Q]], [1]%nat)]].
Definition b2 : list K :=
  [([], []%nat)].

Definition net : list (layer K R) :=
  [Layer W0 b0 relu; Layer W1 b1 (fun t : R => t ^ 2)%R; Layer W2 b2 identity].
Fact net_is_shaped : shaped 2 net = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Inductive generator := g_s.

Definition rho_in (g : generator) : action K :=
  match g with
  | g_s => permutation K [1; 0]%nat
  end.

Definition rho_out (g : generator) : action K :=
  match g with
  | g_s => permutation K [0]%nat
  end.

(* The claim, for all words w in the generators and all real x of the right length.               *)

Definition equivariant : Prop :=
  forall p_a p_b : R, nonvanishing denominators [p_a; p_b] ->
  let v := at_values denominators [p_a; p_b] in
  forall (w : list generator) (x : list R), length x = 2%nat ->
  network v net (word v rho_in w x)
  = word v rho_out w (network v net x).

(* A stronger claim: actions on the hidden spaces make every layer equivariant.                   *)

Definition layer_by_layer : Prop :=
  forall p_a p_b : R, nonvanishing denominators [p_a; p_b] ->
  let v := at_values denominators [p_a; p_b] in
  forall g : generator, exists hidden : list (action K),
  layerwise v net (rho_in g :: hidden ++ [rho_out g]).
