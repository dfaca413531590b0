(******************************************************************************)
(* Identifiable equivariant networks are layerwise equivariant.               *)
(*                                                                            *)
(*   hom r == r : G -> K is a homomorphism                                    *)
(* equivariant L t r0 rL == net L t (r0 g . x) = rL g . net L t x             *)
(* layerwise L t r0 rL == homomorphisms G -> K_i, r0 and rL at the ends, fix  *)
(*            the parameter t and make every layer equivariant                *)
(* latents_layerwise == latents of single group elements are homomorphisms    *)
(*            where the stabiliser is trivial                                 *)
(* equivariant_layerwise == the theorem: t identifiable with trivial          *)
(*            stabiliser, G finite                                            *)
(* layerwise_equivariant == the converse                                      *)
(*         latent_unique == the latent representations are unique             *)
(* collision_not_layerwise == if a layer sends two points to one but their    *)
(*            images under g to two, no latent action exists                  *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup.
From IdentcertTheory Require Import Model.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition hom (G : finGroupType) (K : group) (r : G -> K) :=
  forall g h, r (g * h)%g = gmul (r g) (r h).

Section Equivariance.
Variables (M : model) (L : nat) (t : params M) (G : finGroupType).
Variables (r0 : G -> K M 0) (rL : G -> K M L).

Definition equivariant := forall g x, net L t (act (r0 g) x) = act (rL g) (net L t x).

Definition layerwise := exists k : G -> gauge M,
  [/\ forall g, k g 0 = r0 g, forall g, k g L = rL g,
      forall i, i <= L -> hom (fun g => k g i), forall g, moves L (k g) t t
    & forall i, i < L -> forall g x, f (t i) (act (k g i) x) = act (k g i.+1) (f (t i) x)].

Theorem layerwise_equivariant : layerwise -> equivariant.
Proof.
case=> k [k0 kL _ _ kf] g x; rewrite -k0 -kL.
elim: L kf => //= n IHn kf; rewrite IHn => [|i lt_in]; last by apply: kf; apply: ltnW.
exact: kf.
Qed.

Theorem latents_layerwise : hom r0 -> hom rL -> trivial_stabiliser L t ->
  (forall g, exists k : gauge M, [/\ k 0 = r0 g, k L = rL g & moves L k t t]) -> layerwise.
Proof.
move=> r0M rLM stab /fin_all_exists[k kP].
exists k; split=> [g|g|i le_iL g h|g|i lt_iL g x]; try by case: (kP g).
- have [[[g0 gL gP] [h0 hL hP]] [gh0 ghL ghP]] := (kP g, kP h, kP (g * h)%g).
  have eq0 : k (g * h)%g 0 = gmul (k g 0) (k h 0) by rewrite gh0 g0 h0 r0M.
  have eqL : k (g * h)%g L = gmul (k g L) (k h L) by rewrite ghL gL hL rLM.
  exact: (equal_gauges stab ghP (moves_comp gP hP) eq0 eqL le_iL).
- by case: (kP g) => _ _ gP; apply: moves_layer gP lt_iL.
Qed.

Theorem equivariant_layerwise : 0 < L -> hom r0 -> hom rL ->
  identifiable L t -> trivial_stabiliser L t -> equivariant -> layerwise.
Proof.
move=> L_gt0 r0M rLM ident stab equiv; apply: latents_layerwise => // g.
have [e [e0 eL]] := gauge_with_ends (r0 g) (rL g) L_gt0.
have [x|k [k0 kL] mov_k] := ident (transform e t).
  rewrite -[x in LHS]act1 -(gmulrV (r0 g)) actM -{1}e0 net_transform eL -equiv.
  by rewrite -actM gmulrV act1.
exists (quotient e k); split; rewrite /quotient ?k0 ?kL ?ginv1 ?gmul1 //.
exact: (@moves_quotient _ _ _ _ _ (transform e t)).
Qed.

Theorem latent_unique (k h : gauge M) : trivial_stabiliser L t ->
  moves L k t t -> moves L h t t -> k 0 = h 0 -> k L = h L -> forall i, i <= L -> k i = h i.
Proof. exact: equal_gauges. Qed.
End Equivariance.

Lemma collision_not_layerwise (M : model) L (t : params M) (G : finGroupType)
    (r0 : G -> K M 0) (rL : G -> K M L) g x y : 0 < L ->
  f (t 0) x = f (t 0) y -> f (t 0) (act (r0 g) x) <> f (t 0) (act (r0 g) y) ->
  ~ layerwise t r0 rL.
Proof. by move=> L_gt0 eq_xy neq [k [k0 _ _ _ kf]]; apply: neq; rewrite -k0 !kf // eq_xy. Qed.
