(******************************************************************************)
(* Weakly identifiable parameters: a smaller model with the same function is  *)
(* identifiable.                                                              *)
(*                                                                            *)
(*  submodel N M L == maps of spaces, parameters and groups from N to M that  *)
(*                commute with layers, actions and transforms                 *)
(* weakly_identifiable == then the image of an identifiable parameter is      *)
(*                layerwise equivariant, by latents from the smaller groups   *)
(*      retraction == spaces W_i of the large network, with up_i : V_i -> W_i *)
(*                and down_i back, such that each large layer h_i factors     *)
(*                through the small one: h_i y = up (f_i (down y))            *)
(*      extend k y == up (k . down y) + (y - up (down y)), linear in y when   *)
(*                up, down and k are: need not permute neurons                *)
(* strong_square_layerwise == under retractions the extended latents are an   *)
(*                action by which every large layer is equivariant            *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup ssralg.
From IdentcertTheory Require Import Model Layerwise.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Record submodel (N M : model) (L : nat) := Submodel {
  onV : forall i, V N i -> V M i;
  onTheta : forall i, Theta N i -> Theta M i;
  onK : forall i, K N i -> K M i;
  onKM : forall i (a b : K N i), onK (gmul a b) = gmul (onK a) (onK b);
  on_act : forall i (k : K N i) x, onV (act k x) = act (onK k) (onV x);
  on_tw : forall i (k' : K N i.+1) (k : K N i) s,
    onTheta (tw k' k s) = tw (onK k') (onK k) (onTheta s);
  on_f : forall i (s : Theta N i) x, onV (f s x) = f (onTheta s) (onV x);
  onV_inj : injective (@onV L) }.

Section WeaklyIdentifiable.
Variables (N M : model) (L : nat) (j : submodel N M L) (s : params N).
Variables (G : finGroupType) (r0 : G -> K N 0) (rL : G -> K N L).
Let t : params M := fun i => onTheta j (s i).

Lemma net_onV n x : onV j (net n s x) = net n t (onV j x).
Proof. by elim: n => //= n IHn; rewrite on_f IHn. Qed.

Theorem weakly_identifiable : 0 < L -> hom r0 -> hom rL ->
  identifiable L s -> trivial_stabiliser L s ->
  equivariant t (fun g => onK j (r0 g)) (fun g => onK j (rL g)) ->
  layerwise t (fun g => onK j (r0 g)) (fun g => onK j (rL g)).
Proof.
move=> L_gt0 r0M rLM ident stab equiv.
have equiv_s : equivariant s r0 rL.
  by move=> g x; apply: (@onV_inj _ _ _ j); rewrite net_onV !on_act net_onV.
have [k [k0 kL kM km kf]] := equivariant_layerwise L_gt0 r0M rLM ident stab equiv_s.
have on_moves g : moves L (fun i => onK j (k g i)) t t.
  by move=> i lt_iL; rewrite /transform -on_tw -/(transform _ s i) -km.
exists (fun g i => onK j (k g i)); split=> [g|g|i le_iL g h|//|i lt_iL g x].
- by rewrite k0.
- by rewrite kL.
- by rewrite kM // onKM.
- exact: (moves_layer _ (on_moves g)).
Qed.
End WeaklyIdentifiable.

Import GRing.Theory.
Local Open Scope ring_scope.

Section StrongSquare.
Variables (N : model) (L : nat) (s : params N).
Variables (G : finGroupType) (r0 : G -> K N 0) (rL : G -> K N L).
Variables (W : nat -> zmodType) (h : forall i, W i -> W i.+1).
Variables (up : forall i, V N i -> W i) (down : forall i, W i -> V N i).
(* both hold when down is additive and up is a right inverse of it *)
Hypothesis upK : forall i, cancel (@up i) (@down i).
Hypothesis down_up : forall i v y, @down i (up v + (y - up (@down i y))) = v.
Hypothesis strong_square : forall i y, i < L -> h y = up (f (s i) (@down i y)).

Definition extend i (k : K N i) (y : W i) : W i := up (act k (down y)) + (y - up (down y)).

Lemma down_extend i (k : K N i) y : down (extend k y) = act k (down y).
Proof. exact: down_up. Qed.

Lemma extend1 i y : extend (gone : K N i) y = y.
Proof. by rewrite /extend act1 addrC subrK. Qed.

Lemma extendM i (a b : K N i) y : extend (gmul a b) y = extend a (extend b y).
Proof.
rewrite [LHS]/extend actM [RHS]/extend down_extend; congr (_ + _).
by rewrite /extend [up _ + _]addrC addrK.
Qed.

Theorem strong_square_layerwise : layerwise s r0 rL ->
  exists rho : forall i, G -> W i -> W i,
    [/\ forall i, i <= L -> forall y, rho i 1%g y = y,
        forall i, i <= L -> forall a b y, rho i (a * b)%g y = rho i a (rho i b y),
        forall i, i <= L -> forall g y, exists k : K N i, down (rho i g y) = act k (down y)
      & forall i, i < L -> forall g y, h (rho i g y) = rho i.+1 g (h y)].
Proof.
case=> k [_ _ kM _ kf]; exists (fun i g => extend (k g i)).
have k1 i : i <= L -> k 1%g i = gone.
  move=> le_iL; apply: (@gmulI _ (k 1%g i)); rewrite gmulr1 -[X in X = _](kM i le_iL).
  by rewrite mulg1.
split=> [i le_iL y|i le_iL a b y|i _ g y|i lt_iL g y].
- by rewrite k1 // extend1.
- by rewrite kM // extendM.
- by exists (k g i); rewrite down_extend.
- by rewrite !strong_square // down_extend kf // /extend upK subrr addr0.
Qed.
End StrongSquare.
