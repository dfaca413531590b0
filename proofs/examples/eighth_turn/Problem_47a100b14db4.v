(* A network of widths 2 - 4 - 2 and an action on its inputs and outputs.                         *)

(* The words of the library; their definitions are in Network.v, Rational.v, Actions.v.           *)
(*   at_root alpha c: the real number c_0 + c_1 alpha + ...; K lists such c                       *)
(*   over d M: the matrix M / d, by its rows; over1 d b: the vector b / d                         *)
(*   over2 d M: the matrix M / d, whose entries are lists of coordinates c                        *)
(*   Layer W b s: the map x |-> s(W x + b), with s applied to every entry                         *)
(*   network v net x: the output at x; v reads the numbers of net as real numbers                 *)
(*   dense C M: the map x |-> M x                                                                 *)
(*   word v rho w x: rho_(w_0) (rho_(w_1) (... x)) for a list w of generators                     *)
(*   layerwise v net [rho_0; rho_1; ...]: layer i carries rho_i to rho_(i+1)                      *)

From Coq Require Import List ZArith QArith Qreals Reals.
From Identcert Require Import Network Ring Rational Actions Activations
  Polynomial NumberField ActivationFacts Classes Algebraic.
Import ListNotations.
Local Open Scope Z_scope.

(* alpha is the root of this polynomial in the interval *)
Definition minimal : list Q := [(-2)%Q; 0%Q; 1%Q].
Definition root_low : Q := 1%Q.
Definition root_high : Q := 2%Q.
Definition K : arithmetic := number_field (C := Q_arithmetic) minimal.
Fact alpha_exists : exists alpha, root_in minimal root_low root_high alpha.
Proof. exact (root_exists minimal root_low root_high eq_refl). Qed.

Definition W0 : list (list K) :=
  over2 2 [[[2; 0]; [0; 0]]; [[0; 1]; [0; 1]]; [[0; 0]; [2; 0]]; [[0; -1]; [0; 1]]].
Definition b0 : list K :=
  over 2 [[0; 0]; [0; 0]; [0; 0]; [0; 0]].

Definition W1 : list (list K) :=
  over2 2 [[[2; 0]; [0; 1]; [0; 0]; [0; -1]]; [[0; 0]; [0; 1]; [2; 0]; [0; 1]]].
Definition b1 : list K :=
  over 2 [[0; 0]; [0; 0]].

Definition net : list (layer K R) :=
  [Layer W0 b0 tanh; Layer W1 b1 identity].
Fact net_is_shaped : shaped 2 net = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Inductive generator := g_r.

Definition rho_in (g : generator) : action K :=
  match g with
  | g_r => dense K (over2 2 [[[0; 1]; [0; -1]]; [[0; 1]; [0; 1]]])
  end.

Definition rho_out (g : generator) : action K :=
  match g with
  | g_r => dense K (over2 2 [[[0; 1]; [0; -1]]; [[0; 1]; [0; 1]]])
  end.

(* The claim, for all words w in the generators and all real x of the right length.               *)

Definition equivariant : Prop :=
  forall alpha : R, root_in minimal root_low root_high alpha ->
  let v := at_root alpha in
  forall (w : list generator) (x : list R), length x = 2%nat ->
  network v net (word v rho_in w x)
  = word v rho_out w (network v net x).

(* A stronger claim: actions on the hidden spaces make every layer equivariant.                   *)

Definition layer_by_layer : Prop :=
  forall alpha : R, root_in minimal root_low root_high alpha ->
  let v := at_root alpha in
  forall g : generator, exists hidden : list (action K),
  layerwise v net (rho_in g :: hidden ++ [rho_out g]).
