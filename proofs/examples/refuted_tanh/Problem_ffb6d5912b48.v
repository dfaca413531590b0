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
  over 336 [[-77; 189; -161; -105; -168; -147; -21; 63; -119; 35; -175; 203; 126; 77; 0; -105];
   [-21; -77; -168; 189; 63; -161; -105; -147; 203; -119; 35; -175; -77; 126; 105; 0];
   [-161; -168; -77; 63; 189; -21; -147; -105; 203; -175; 35; -119; 126; -77; 0; 105];
   [-105; -21; 63; -77; -147; -168; 189; -161; -175; 203; -119; 35; -126; -77; 0; 105];
   [-168; 63; -21; -147; -77; -105; -161; 189; -175; 35; -119; 203; -77; -126; 105; 0];
   [-147; -161; 189; -168; -105; -77; 63; 27; -119; 203; -175; 35; 77; 126; -105; 0];
   [189; -105; -147; -21; -161; 63; -77; -168; 35; -175; 203; -119; 77; -126; -105; 0];
   [63; -147; -105; -161; -21; 189; -168; -77; 35; -119; 203; -175; -126; 77; 0; -105];
   [-63; 21; 21; 84; 84; -63; -294; -294; 168; 154; -126; 154; 42; 42; -126; -126];
   [-294; -63; 84; 21; -294; 21; 84; -63; 154; 168; 154; -126; -42; 42; 126; -126];
   [84; -294; -294; -63; -63; 84; 21; 21; -126; 154; 168; 154; -42; -42; 126; 126];
   [21; 84; -63; -294; 21; -294; -63; 84; 154; -126; 154; 168; 42; -42; -126; 126];
   [-70; 112; -70; 70; 112; -112; -112; 70; 357; -357; -357; 357; -168; 0; 84; 0];
   [-112; -70; 112; 112; 70; -70; 70; -112; 357; 357; -357; -357; 0; -168; 0; 84];
   [-168; 35; -168; 168; 35; -35; -35; 168; -84; 84; 84; -84; -168; 0; 0; 0];
   [-35; -168; 35; 35; 168; -168; 168; -35; -84; -84; 84; 84; 0; -168; 0; 0]].
Definition b1 : list Q :=
  over1 336 [-63; -63; -63; -63; -63; -63; -63; -63; 42; 42; 42; 42; 0; 0; 0; 0].

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
