(******************************************************************************)
(* Generalised adjunction: G acts on all spaces, parameters and latent groups *)
(* (flips of images through convolutions, permutations of tokens).            *)
(*                                                                            *)
(*  adjunction M G == actions of G: dot g x on V_i, ddot g t on Theta_i and   *)
(*                conj g k on K_i, with f (ddot g t) (dot g x) = dot g (f t x)*)
(* self_equivariant == net L t (dot g x) = dot g (net L t x)                  *)
(* crossed_layerwise == k_i (g h) = conj g (k_i h) k_i g for a unique k, and  *)
(*                rho_i g x = (k_i g)^-1 . dot g x is an action of G by which *)
(*                every layer is equivariant                                  *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup.
From IdentcertTheory Require Import Model.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Record adjunction (M : model) (G : finGroupType) := Adjunction {
  dot : forall i, G -> V M i -> V M i;
  ddot : forall i, G -> Theta M i -> Theta M i;
  conj : forall i, G -> K M i -> K M i;
  dot1 : forall i (x : V M i), dot 1%g x = x;
  dotM : forall i g h (x : V M i), dot (g * h)%g x = dot g (dot h x);
  ddot1 : forall i (t : Theta M i), ddot 1%g t = t;
  ddotM : forall i g h (t : Theta M i), ddot (g * h)%g t = ddot g (ddot h t);
  conj1 : forall i g, conj g (gone : K M i) = gone;
  conjM : forall i g (a b : K M i), conj g (gmul a b) = gmul (conj g a) (conj g b);
  dot_act : forall i g (k : K M i) x, dot g (act k x) = act (conj g k) (dot g x);
  ddot_tw : forall i g (k' : K M i.+1) (k : K M i) t,
    ddot g (tw k' k t) = tw (conj g k') (conj g k) (ddot g t);
  adjoint : forall i g (t : Theta M i) x, f (ddot g t) (dot g x) = dot g (f t x) }.

Section Crossed.
Variables (M : model) (G : finGroupType) (a : adjunction M G) (L : nat) (t : params M).

Definition self_equivariant := forall g x, net L t (dot a g x) = dot a g (net L t x).
Definition moved g : params M := fun i => ddot a g (t i).

Lemma net_moved g n x : net n (moved g) (dot a g x) = dot a g (net n t x).
Proof. by elim: n => //= n ->; rewrite adjoint. Qed.

Lemma dot_inv g i (x : V M i) : dot a g (dot a g^-1%g x) = x.
Proof. by rewrite -dotM mulgV dot1. Qed.

Definition rho (k : G -> gauge M) i (g : G) (x : V M i) : V M i := act (ginv (k g i)) (dot a g x).

Theorem crossed_layerwise : self_equivariant -> identifiable L t -> trivial_stabiliser L t ->
  exists k : G -> gauge M,
  [/\ forall g, inner L (k g) /\ moves L (k g) t (moved g),
      forall i, i <= L -> forall g h, k (g * h)%g i = gmul (conj a g (k h i)) (k g i),
      forall i, i <= L -> forall x, rho k 1%g x = x :> V M i,
      forall i, i <= L -> forall g h x, rho k (g * h)%g x = rho k g (rho k h x) :> V M i
    & forall i, i < L -> forall g x, f (t i) (rho k g x) = rho k g (f (t i) x)].
Proof.
move=> equiv ident stab.
have /fin_all_exists[k kP] g : exists k : gauge M, inner L k /\ moves L k t (moved g).
  have [x|k' in_k mov_k] := ident (moved g); last by exists k'.
  by rewrite -(dot_inv g x) net_moved -equiv.
have kM i : i <= L -> forall g h, k (g * h)%g i = gmul (conj a g (k h i)) (k g i).
  move=> le_iL g h.
  have [[in_g mov_g] [in_h mov_h] [in_gh mov_gh]] : 
    [/\ inner L (k g) /\ moves L (k g) t (moved g), inner L (k h) /\ moves L (k h) t (moved h)
      & inner L (k (g * h)%g) /\ moves L (k (g * h)%g) t (moved (g * h)%g)] by split; apply: kP.
  pose c : gauge M := fun i => gmul (conj a g (k h i)) (k g i).
  have mov_c : moves L c t (moved (g * h)%g).
    move=> m lt_mL; rewrite /transform twM -/(transform (k g) t m) -mov_g //.
    by rewrite /moved ddotM -/(moved h m) mov_h // ddot_tw.
  apply/ginv_eq1/(stab (quotient (k (g * h)%g) c)) => //.
    rewrite /inner /quotient /c in_gh.1 in_gh.2 in_g.1 in_g.2 in_h.1 in_h.2 !conj1 !gmulr1.
    by rewrite !ginv1.
  exact: (moves_quotient mov_gh mov_c).
have k1 i : i <= L -> k 1%g i = gone.
  move=> le_iL; have [in_1 mov_1] := kP 1%g; apply: (stab _ in_1) => // m lt_mL.
  by rewrite -mov_1 // /moved ddot1.
exists k; split=> // [i le_iL x|i le_iL g h x|i lt_iL g x].
- by rewrite /rho k1 // ginv1 act1 dot1.
- rewrite /rho dot_act -actM dotM kM //; congr act.
  apply: (@gmulI _ (gmul (conj a g (k h i)) (k g i))); rewrite gmulrV -gmulA.
  rewrite [gmul (k g i) _]gmulA gmulrV gmul1 -conjM gmulrV conj1 //.
- have [_ mov_g] := kP g; have := adjoint a g (t i) x; rewrite -/(moved g i) mov_g //.
  rewrite -[dot a g x](act1) -(gmulrV (k g i)) actM absorb -/(rho k g x) => eq_f.
  by rewrite /rho -eq_f -actM gmulV act1.
Qed.
End Crossed.
