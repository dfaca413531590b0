(******************************************************************************)
(* Reduced networks have trivial stabilisers, so that latents found for the   *)
(* generators of a group are unique and form an action of the group.          *)
(*                                                                            *)
(*  affine_unique == an affine map determines its matrix and its shift        *)
(*     monomial a p == the matrix of z |-> (a_0 z_(p 0), a_1 z_(p 1), ...)    *)
(*   inequivalent C W b == no row (w_i, b_i) is c (w_j, b_j) for i != j and   *)
(*                    c in C, and no w_i is 0                                 *)
(* reduced_separated == then a monomial with scales in C that fixes (W, b)    *)
(*                    is 1                                                    *)
(*   separated t == only the trivial latent fixes the layer t                 *)
(* separated_stabiliser == if all hidden layers are separated, the            *)
(*                    stabiliser is trivial                                   *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm all_algebra.
From IdentcertTheory Require Import Model Layerwise MLP.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Rows.
Variables (F : fieldType) (m n : nat).
Implicit Types (W : 'M[F]_(m, n)) (b : 'cV[F]_m).

Theorem affine_unique W W' b b' :
  (forall x : 'cV_n, W *m x + b = W' *m x + b') -> W = W' /\ b = b'.
Proof.
move=> eq_maps; have eq_b : b = b' by have := eq_maps 0; rewrite !mulmx0 !add0r.
split=> //; apply/matrixP=> i j; have := eq_maps (delta_mx j 0).
by rewrite eq_b => /addIr; rewrite -!colE => /colP/(_ i); rewrite !mxE.
Qed.

Definition monomial (a : 'I_m -> F) (p : 'S_m) : 'M[F]_m := \matrix_(i, j) (a i *+ (j == p i)).

Lemma monomialE a p q (A : 'M[F]_(m, q)) i : row i (monomial a p *m A) = a i *: row (p i) A.
Proof.
apply/rowP=> j; rewrite !mxE (bigD1 (p i)) //= big1 ?addr0 => [|k neq_k].
  by rewrite mxE eqxx mulr1n.
by rewrite mxE (negbTE neq_k) mulr0n mul0r.
Qed.

Definition inequivalent (C : pred F) W b := forall i,
  row i W != 0 /\ forall j c, C c -> row i W = c *: row j W -> b i 0 = c * b j 0 -> i = j.

Theorem reduced_separated C W b a p : inequivalent C W b -> (forall i, C (a i)) ->
  monomial a p *m W = W -> monomial a p *m b = b -> monomial a p = 1%:M.
Proof.
move=> ineq Ca eqW eqb.
have rowW i : row i W = a i *: row (p i) W by rewrite -monomialE eqW.
have entry_b i : b i 0 = a i * b (p i) 0.
  by have := monomialE a p b i; rewrite eqb => /rowP/(_ 0); rewrite !mxE.
have fixed i : i = p i by case: (ineq i) => _; apply; first exact: Ca.
have one_a i : a i = 1.
  case: (ineq i) => W_neq0 _; apply/eqP; rewrite -subr_eq0.
  have eq_row : row i W = a i *: row i W by rewrite {1}rowW -fixed.
  have : (a i - 1) *: row i W == 0 by rewrite scalerBl scale1r -eq_row subrr.
  by rewrite scaler_eq0 (negbTE W_neq0) orbF.
by apply/matrixP=> i j; rewrite !mxE one_a -fixed eq_sym.
Qed.
End Rows.

Section Stabiliser.
Variables (F : fieldType) (d : nat -> nat).
Variable s : forall i, 'cV[F]_(d i) -> 'cV[F]_(d i).
Variable ok : forall i, pred 'M[F]_(d i).
Hypothesis ok1 : forall i, ok (1%:M : 'M_(d i)).
Hypothesis okM : forall i (a b : 'M_(d i)), ok a -> ok b -> ok (a *m b).
Hypothesis okV : forall i (a : 'M_(d i)), a \in unitmx -> ok a -> ok (invmx a).
Hypothesis ok_s : forall i (a : 'M_(d i)) y, ok a -> s (a *m y) = a *m s y.

Let M := mlp_model ok1 okM okV ok_s.

Definition separated i (t : Theta M i) := forall k : K M i.+1,
  val k *m t.1 = t.1 -> val k *m t.2 = t.2 -> k = gone.

Theorem separated_stabiliser L (t : params M) :
  (forall i, (i.+1 < L)%N -> separated (t i)) -> trivial_stabiliser L t.
Proof.
move=> sep k [k0 kL] mov; elim=> // i IHi lt_iL.
have [lt_SiL|le_LSi] := ltnP i.+1 L; last first.
  by have eq_L : L = i.+1 by [apply/anti_leq/andP]; move: kL; case: _ / eq_L.
have := mov i lt_iL; rewrite /transform (IHi (ltnW lt_iL)) /= /twist /= invmx1 mulmx1.
by case def_t: (t i) => [W b] [eqW eqb]; apply: (sep i lt_SiL); rewrite def_t /= -?eqW -?eqb.
Qed.
End Stabiliser.
