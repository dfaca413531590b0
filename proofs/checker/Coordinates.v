(******************************************************************************)
(* Homogeneous coordinates: a network whose layers act on (1, t_1, ..., x)    *)
(* with fixed numbers t_1, t_2, ..., so that every layer is linear.           *)
(*                                                                            *)
(*      coded C == a layer: rows over (1, t, x), and the name of its          *)
(*                 activation, a number                                       *)
(* run e net x == the map of the coded layers, with e = (1, t)                *)
(*  encode k names net == net in coordinates with k fixed numbers             *)
(* encode_action k rho == the action rho by sparse rows over (1, t, x)        *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Arith Ring.
From Identcert Require Import Network Ring Rows.
Import ListNotations.

Record coded (C : Type) := Coded { rows : list (list C); name : nat }.
Arguments Coded {C}.
Arguments rows {C}.
Arguments name {C}.

Section Encoding.
Variables (C : arithmetic) (k : nat).

Fixpoint joined (W : list (list C)) (b : list C) : list (list C) :=
  match W, b with
  | w :: W, c :: b => (c :: repeat zero (Nat.pred k) ++ w) :: joined W b
  | _, _ => []
  end.
Fixpoint encode {A} (names : list nat) (net : list (layer C A)) : list (coded C) :=
  match net, names with
  | l :: net, n :: names => Coded (joined (weight l) (bias l)) n :: encode names net
  | _, _ => []
  end.

Definition encode_row (row : list (nat * C) * C) : list (nat * C) :=
  (if ceqb (snd row) zero then [] else [(0, snd row)])
  ++ map (fun p => (k + fst p, snd p)) (fst row).
Definition encode_action (rho : action C) := map encode_row rho.
End Encoding.
Arguments joined {C}.
Arguments encode {C} k {A}.
Arguments encode_row {C}.
Arguments encode_action {C}.

Section Run.
Context {A : signature} {C : Type} (v : C -> A) (sigma : nat -> A -> A).

Definition linear (M : list (list C)) (x : list A) := map (fun m => dot v m x) M.
Fixpoint run (e : list A) (net : list (coded C)) (x : list A) : list A :=
  match net with
  | l :: net => run e net (map (sigma (name l)) (linear (rows l) (e ++ x)))
  | [] => x
  end.

Lemma run_app e net1 net2 x : run e (net1 ++ net2) x = run e net2 (run e net1 x).
Proof. by elim: net1 x => //= l net1 IHnet x; rewrite IHnet. Qed.
End Run.

Lemma nth_fixed T (e x : list T) i d : nth (length e + i) (e ++ x) d = nth i x d.
Proof. by elim: e. Qed.

Section Sound.
Variables (A : signature) (rA : ring A) (C : arithmetic) (v : C -> A).
Hypothesis ev : evaluation rA C v.
Add Ring values : (ringP rA).
Variable e : list A.
Hypothesis e_one : nth 0 e zero = one rA.
Local Notation k := (length e).

Hypothesis k_gt0 : 0 < k.

Lemma nth_one x : nth 0 (e ++ x) zero = one rA.
Proof. by case: e e_one k_gt0 => [_ /Nat.lt_irrefl|]. Qed.

Lemma dot_joined c w x : dot v (c :: repeat zero (Nat.pred k) ++ w) (e ++ x) = add (dot v w x) (v c).
Proof.
case: e e_one k_gt0 => [_ /Nat.lt_irrefl //|t e'] /= ->{t} _.
suff -> : dot v (repeat zero (length e') ++ w) (e' ++ x) = dot v w x by ring.
elim: e' => [|t e' IHe] //=; rewrite IHe (eval0 ev); ring.
Qed.

Lemma linear_joined W b x : linear v (joined k W b) (e ++ x) = affine v W b x.
Proof. by elim: W b => [|w W IHW] [|c b] //=; rewrite -/k dot_joined ?IHW. Qed.

Lemma sparse_app r s x : sparse v (r ++ s) x = add (sparse v r x) (sparse v s x).
Proof. by elim: r => [|[i c] r IHr] /=; rewrite ?IHr; ring. Qed.

Lemma sparse_shift r x :
  sparse v (map (fun p => (k + fst p, snd p)) r) (e ++ x) = sparse v r x.
Proof. by elim: r => [|[i c] r IHr] //=; rewrite nth_fixed IHr. Qed.

Lemma sparse_encode_row row x :
  sparse v (encode_row k row) (e ++ x) = add (sparse v (fst row) x) (v (snd row)).
Proof.
case: row => r c; rewrite sparse_app sparse_shift /=.
case: ifP => [/(eval_eq ev) ->|_] /=; rewrite ?(eval0 ev); first ring.
by rewrite nth_one; ring.
Qed.

Lemma sparse_encode rho x :
  map (fun r => sparse v r (e ++ x)) (encode_action k rho) = apply v rho x.
Proof. by rewrite /encode_action map_map; apply: map_ext => row; apply: sparse_encode_row. Qed.

Lemma run_encode sigma names net x :
  map activation net = map sigma names -> run v sigma e (encode k names net) x = network v net x.
Proof.
elim: net names x => [|[W b s] net IHnet] [|n names] x //= [-> eq_act].
by rewrite linear_joined ?IHnet.
Qed.
End Sound.
