(* A network of widths 2 - 2 - 2 - 2 - 2 - 1 and an action on its inputs and outputs.             *)

(* The words of the library; their definitions are in Network.v, Rational.v, Actions.v.           *)
(*   Q2R: a rational number as a real number                                                      *)
(*   over d M: the matrix M / d, by its rows; over1 d b: the vector b / d                         *)
(*   Layer W b s: the map x |-> s(W x + b), with s applied to every entry                         *)
(*   network v net x: the output at x; v reads the numbers of net as real numbers                 *)
(*   permutation C p: the map x |-> (x_(p_0), x_(p_1), ...)                                       *)
(*   dense C M: the map x |-> M x                                                                 *)
(*   word v rho w x: rho_(w_0) (rho_(w_1) (... x)) for a list w of generators                     *)
(*   layerwise v net [rho_0; rho_1; ...]: layer i carries rho_i to rho_(i+1)                      *)

From Coq Require Import List ZArith QArith Qreals Reals.
From Identcert Require Import Network Ring Rational Actions Activations.
Import ListNotations.
Local Open Scope Z_scope.

Definition W0 : list (list Q) :=
  over 1 [[1; 0]; [0; 1]].
Definition b0 : list Q :=
  over1 1 [0; 0].

Definition W1 : list (list Q) :=
  over 1 [[1; 1]; [2; 2]].
Definition b1 : list Q :=
  over1 1 [-3; 1].

Definition W2 : list (list Q) :=
  over 1 [[1; 2]; [-1; 3]].
Definition b2 : list Q :=
  over1 1 [0; 1].

Definition W3 : list (list Q) :=
  over 2 [[2; -2]; [2; 2]].
Definition b3 : list Q :=
  over1 2 [1; 0].

Definition W4 : list (list Q) :=
  over 1 [[1; 1]].
Definition b4 : list Q :=
  over1 1 [0].

Definition net : list (layer Q R) :=
  [Layer W0 b0 (fun t : R => t ^ 2)%R; Layer W1 b1 tanh; Layer W2 b2 relu; Layer W3 b3 elu; Layer W4 b4 identity].
Fact net_is_shaped : shaped 2 net = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Inductive generator := g_g.

Definition rho_in (g : generator) : action Q :=
  match g with
  | g_g => dense Q_arithmetic (over 5 [[3; -4]; [4; 3]])
  end.

Definition rho_out (g : generator) : action Q :=
  match g with
  | g_g => permutation Q_arithmetic [0]%nat
  end.

(* The claim, for all words w in the generators and all real x of the right length.               *)

Definition equivariant : Prop :=
  forall (w : list generator) (x : list R), length x = 2%nat ->
  network Q2R net (word Q2R rho_in w x)
  = word Q2R rho_out w (network Q2R net x).

(* A stronger claim: actions on the hidden spaces make every layer equivariant.                   *)

Definition layer_by_layer : Prop :=
  forall g : generator, exists hidden : list (action Q),
  layerwise Q2R net (rho_in g :: hidden ++ [rho_out g]).
