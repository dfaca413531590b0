(******************************************************************************)
(* Multilayer perceptrons over a field are models: the theorem in terms of    *)
(* weights and biases.                                                        *)
(*                                                                            *)
(*   mlp_model == layers x |-> s_(i+1) (W x + b); K_i are the invertible      *)
(*                matrices that ok_i admits, all of which pass through s_i    *)
(* mlp_layerwise == identifiable and equivariant gives homomorphisms k_i with *)
(*                W_i k_i = k_(i+1) W_i and b_i = k_(i+1) b_i                 *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup all_algebra.
From IdentcertTheory Require Import Model Layerwise.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section MLP.
Variables (F : fieldType) (d : nat -> nat).
Variable s : forall i, 'cV[F]_(d i) -> 'cV[F]_(d i).
Variable ok : forall i, pred 'M[F]_(d i).
Hypothesis ok1 : forall i, ok (1%:M : 'M_(d i)).
Hypothesis okM : forall i (a b : 'M_(d i)), ok a -> ok b -> ok (a *m b).
Hypothesis okV : forall i (a : 'M_(d i)), a \in unitmx -> ok a -> ok (invmx a).
Hypothesis ok_s : forall i (a : 'M_(d i)) y, ok a -> s (a *m y) = a *m s y.

Definition admissible i := {k : 'M[F]_(d i) | (k \in unitmx) && ok k}.
Implicit Types (i : nat).

Lemma admissible_unit i (k : admissible i) : val k \in unitmx.
Proof. by case/andP: (valP k). Qed.

Lemma admissible1 i : ((1%:M : 'M[F]_(d i)) \in unitmx) && ok (1%:M : 'M_(d i)).
Proof. by rewrite unitmx1 ok1. Qed.

Lemma admissibleM i (a b : admissible i) : (val a *m val b \in unitmx) && ok (val a *m val b).
Proof.
have [/andP[ua oka] /andP[ub okb]] := (valP a, valP b).
by rewrite unitmx_mul ua ub okM.
Qed.

Lemma admissibleV i (a : admissible i) : (invmx (val a) \in unitmx) && ok (invmx (val a)).
Proof. by have /andP[ua oka] := valP a; rewrite unitmx_inv ua okV. Qed.

Definition latent i (k : 'M[F]_(d i)) (k_ok : (k \in unitmx) && ok k) : admissible i :=
  exist (fun k => (k \in unitmx) && ok k) k k_ok.
Definition latent1 i : admissible i := latent (admissible1 i).
Definition latentM i (a b : admissible i) : admissible i := latent (admissibleM a b).
Definition latentV i (a : admissible i) : admissible i := latent (admissibleV a).

Lemma latentA i : associative (@latentM i).
Proof. by move=> a b c; apply: val_inj; rewrite /= mulmxA. Qed.
Lemma latent1M i : left_id (latent1 i) (@latentM i).
Proof. by move=> a; apply: val_inj; rewrite /= mul1mx. Qed.
Lemma latentVM i : left_inverse (latent1 i) (@latentV i) (@latentM i).
Proof. by move=> a; apply: val_inj; rewrite /= mulVmx ?admissible_unit. Qed.

Definition latent_group i : group := Group (@latentA i) (@latent1M i) (@latentVM i).

Definition parameter i : Type := 'M[F]_(d i.+1, d i) * 'cV[F]_(d i.+1).
Definition layer i (t : parameter i) (x : 'cV[F]_(d i)) := s (t.1 *m x + t.2).
Definition twist i (k' : latent_group i.+1) (k : latent_group i) (t : parameter i) : parameter i :=
  (val k' *m t.1 *m invmx (val k), val k' *m t.2).

Lemma twist1 i (t : parameter i) : twist gone gone t = t.
Proof. by case: t => W b; rewrite /twist /= !mul1mx invmx1 mulmx1. Qed.

Lemma twistM i (a' b' : latent_group i.+1) (a b : latent_group i) t :
  twist (gmul a' b') (gmul a b) t = twist a' a (twist b' b t).
Proof.
case: t => W e; rewrite /twist /=; congr pair; last by rewrite mulmxA.
have [ua ub] := (admissible_unit a, admissible_unit b).
have -> : invmx (val a *m val b) = invmx (val b) *m invmx (val a).
  have uab : val a *m val b \in unitmx by rewrite unitmx_mul ua ub.
  by apply: (can_inj (mulKmx uab)); rewrite (mulmxV uab) -mulmxA mulKVmx // mulmxV.
by rewrite !mulmxA.
Qed.

Lemma layer_absorb i (k' : latent_group i.+1) (k : latent_group i) t x :
  layer (twist k' k t) (val k *m x) = val k' *m layer t x.
Proof.
rewrite /layer /twist /= mulmxA mulmxKV ?admissible_unit // -mulmxA -mulmxDr ok_s //.
by case/andP: (valP k').
Qed.

Definition mlp_model : model :=
  @Model (fun i => 'cV[F]_(d i)) parameter latent_group layer (fun i k x => val k *m x)
    (fun i => @mul1mx _ _ _) (fun i a b x => esym (mulmxA (val a) (val b) x))
    twist twist1 twistM layer_absorb.

Theorem mlp_layerwise (L : nat) (t : params mlp_model) (G : finGroupType)
    (r0 : G -> latent_group 0) (rL : G -> latent_group L) :
  (0 < L)%N -> hom r0 -> hom rL -> identifiable L t -> trivial_stabiliser L t ->
  (forall g x, net L t (val (r0 g) *m x) = val (rL g) *m net L t x) ->
  exists k : forall i, G -> latent_group i,
    [/\ forall g, k 0%N g = r0 g, forall g, k L g = rL g,
        forall i, (i <= L)%N -> hom (k i)
      & forall i g, (i < L)%N -> (t i).1 *m val (k i g) = val (k i.+1 g) *m (t i).1
                                 /\ (t i).2 = val (k i.+1 g) *m (t i).2].
Proof.
move=> L_gt0 r0M rLM ident stab equiv.
have [k [k0 kL kM km _]] := @equivariant_layerwise mlp_model L t G r0 rL L_gt0 r0M rLM ident stab equiv.
exists (fun i g => k g i); split=> // i g lt_iL.
have eqW := congr1 fst (km g i lt_iL); have eqb := congr1 snd (km g i lt_iL).
by split=> //; rewrite [in LHS]eqW /= mulmxKV ?admissible_unit.
Qed.
End MLP.
