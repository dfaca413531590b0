(******************************************************************************)
(* Multilayer perceptrons and affine actions: all that the statement of a     *)
(* generated theorem depends on.  Vectors are lists; a matrix is the list of  *)
(* its rows.                                                                  *)
(*                                                                            *)
(*     signature == a type with 0, + and *; Coq's real numbers are one        *)
(*      layer C A == weights and bias in C (numbers in a file), and an        *)
(*                  activation on A                                           *)
(*             v == the coefficient c : C read as the value v c : A           *)
(*     dot v w x == w_0 x_0 + w_1 x_1 + ...                                   *)
(* affine v W b x == W x + b                                                  *)
(* network v net x == the map x |-> ... s_2 (W_2 s_1 (W_1 x + b_1) + b_2) ... *)
(*      action C == an affine map by its rows: (r, c) is x |-> r x + c with   *)
(*                  r sparse, [:: (i, a); ...] for a x_i + ...                *)
(* apply v rho x == the image of x under rho                                  *)
(* word v rho w x == rho_(w_0) (rho_(w_1) ( ... x)): a word w in generators   *)
(* layerwise v net [:: rho_0; rho_1; ...] == for every i, the i-th layer      *)
(*                  carries the action rho_i to rho_(i+1)                     *)
(*  shaped n net == every row of every matrix has the length of its input, of *)
(*                  which the first has n entries: nothing is cut off above   *)
(******************************************************************************)
From Coq Require Import List Arith.
Import ListNotations.

Record signature := Signature {
  carrier :> Type; zero : carrier;
  add : carrier -> carrier -> carrier; mul : carrier -> carrier -> carrier }.
Arguments zero {_}.
Arguments add {_}.
Arguments mul {_}.

Record layer (C A : Type) := Layer {
  weight : list (list C); bias : list C; activation : A -> A }.
Arguments Layer {C A}.
Arguments weight {C A}.
Arguments bias {C A}.
Arguments activation {C A}.

Definition action (C : Type) := list (list (nat * C) * C).

Section Maps.
Context {A : signature} {C : Type} (v : C -> A).

Fixpoint dot (w : list C) (x : list A) : A :=
  match w, x with
  | c :: w, t :: x => add (mul (v c) t) (dot w x)
  | _, _ => zero
  end.

Fixpoint affine (W : list (list C)) (b : list C) (x : list A) : list A :=
  match W, b with
  | w :: W, c :: b => add (dot w x) (v c) :: affine W b x
  | _, _ => []
  end.

Fixpoint network (net : list (layer C A)) (x : list A) : list A :=
  match net with
  | l :: net => network net (map (activation l) (affine (weight l) (bias l) x))
  | [] => x
  end.

Fixpoint sparse (r : list (nat * C)) (x : list A) : A :=
  match r with
  | (i, c) :: r => add (mul (v c) (nth i x zero)) (sparse r x)
  | [] => zero
  end.

Definition apply (rho : action C) (x : list A) : list A :=
  map (fun row => add (sparse (fst row) x) (v (snd row))) rho.

Definition word {G : Type} (rho : G -> action C) (w : list G) (x : list A) :=
  fold_right (fun g y => apply (rho g) y) x w.

Fixpoint layerwise (net : list (layer C A)) (rhos : list (action C)) : Prop :=
  match net, rhos with
  | l :: net, rho :: (tau :: _) as rhos =>
      let f x := map (activation l) (affine (weight l) (bias l) x) in
      (forall x, f (apply rho x) = apply tau (f x)) /\ layerwise net rhos
  | [], [_] => True
  | _, _ => False
  end.
End Maps.
Arguments dot {A C} v w x : simpl nomatch.

Fixpoint shaped {C A} (n : nat) (net : list (layer C A)) : bool :=
  match net with
  | l :: net =>
      forallb (fun w => length w =? n) (weight l)
      && (length (bias l) =? length (weight l)) && shaped (length (weight l)) net
  | [] => true
  end.
