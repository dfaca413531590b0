(* A network of widths 2 - 16 - 16 - 2 and an action on its inputs and outputs.                   *)

(* The words of the library; their definitions are in Network.v, Rational.v, Actions.v.           *)
(*   Q2R: a rational number as a real number                                                      *)
(*   over d M: the matrix M / d, by its rows; over1 d b: the vector b / d                         *)
(*   Layer W b s: the map x |-> s(W x + b), with s applied to every entry                         *)
(*   network v net x: the output at x; v reads the numbers of net as real numbers                 *)
(*   signed C p s: the map x |-> (s_0 x_(p_0), s_1 x_(p_1), ...)                                  *)
(*   word v rho w x: rho_(w_0) (rho_(w_1) (... x)) for a list w of generators                     *)
(*   layerwise v net [rho_0; rho_1; ...]: layer i carries rho_i to rho_(i+1)                      *)

From Coq Require Import List ZArith QArith Qreals Reals.
From Identcert Require Import Network Ring Rational Actions Activations.
Import ListNotations.
Local Open Scope Z_scope.

Definition W0 : list (list Q) :=
  over 48 [[-5; 30]; [-30; -5]; [-5; -30]; [5; -30]; [-30; 5]; [30; -5]; [30; 5]; [5; 30];
   [-26; -26]; [26; -26]; [26; 26]; [-26; 26]; [24; 0]; [0; 24]; [-32; 0]; [0; -32]].
Definition b0 : list Q :=
  over1 48 [17; 17; 17; 17; 17; 17; 17; 17; 70; 70; 70; 70; 0; 0; 0; 0].

Definition W1 : list (list Q) :=
  over 48 [[-11; 27; -23; -15; -24; -21; -3; 9; -17; 5; -25; 29; 18; 11; 0; -15];
   [-3; -11; -24; 27; 9; -23; -15; -21; 29; -17; 5; -25; -11; 18; 15; 0];
   [-23; -24; -11; 9; 27; -3; -21; -15; 29; -25; 5; -17; 18; -11; 0; 15];
   [-15; -3; 9; -11; -21; -24; 27; -23; -25; 29; -17; 5; -18; -11; 0; 15];
   [-24; 9; -3; -21; -11; -15; -23; 27; -25; 5; -17; 29; -11; -18; 15; 0];
   [-21; -23; 27; -24; -15; -11; 9; -3; -17; 29; -25; 5; 11; 18; -15; 0];
   [27; -15; -21; -3; -23; 9; -11; -24; 5; -25; 29; -17; 11; -18; -15; 0];
   [9; -21; -15; -23; -3; 27; -24; -11; 5; -17; 29; -25; -18; 11; 0; -15];
   [-9; 3; 3; 12; 12; -9; -42; -42; 24; 22; -18; 22; 6; 6; -18; -18];
   [-42; -9; 12; 3; -42; 3; 12; -9; 22; 24; 22; -18; -6; 6; 18; -18];
   [12; -42; -42; -9; -9; 12; 3; 3; -18; 22; 24; 22; -6; -6; 18; 18];
   [3; 12; -9; -42; 3; -42; -9; 12; 22; -18; 22; 24; 6; -6; -18; 18];
   [-10; 16; -10; 10; 16; -16; -16; 10; 51; -51; -51; 51; -24; 0; 12; 0];
   [-16; -10; 16; 16; 10; -10; 10; -16; 51; 51; -51; -51; 0; -24; 0; 12];
   [-24; 5; -24; 24; 5; -5; -5; 24; -12; 12; 12; -12; -24; 0; 0; 0];
   [-5; -24; 5; 5; 24; -24; 24; -5; -12; -12; 12; 12; 0; -24; 0; 0]].
Definition b1 : list Q :=
  over1 48 [-9; -9; -9; -9; -9; -9; -9; -9; 6; 6; 6; 6; 0; 0; 0; 0].

Definition W2 : list (list Q) :=
  over 24 [[20; -9; 20; -20; -9; 9; 9; -20; -3; 3; 3; -3; 24; 0; -18; 0];
   [9; 20; -9; -9; -20; 20; -20; 9; -3; -3; 3; 3; 0; 24; 0; -18]].
Definition b2 : list Q :=
  over1 24 [0; 0].

Definition net : list (layer Q R) :=
  [Layer W0 b0 tanh; Layer W1 b1 tanh; Layer W2 b2 identity].
Fact net_is_shaped : shaped 2 net = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Inductive generator := g_r | g_s.

Definition rho_in (g : generator) : action Q :=
  match g with
  | g_r => signed Q_arithmetic [1; 0]%nat [-1; 1]
  | g_s => signed Q_arithmetic [0; 1]%nat [1; -1]
  end.

Definition rho_out (g : generator) : action Q :=
  match g with
  | g_r => signed Q_arithmetic [1; 0]%nat [-1; 1]
  | g_s => signed Q_arithmetic [0; 1]%nat [1; -1]
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
