(******************************************************************************)
(* The reduction steps preserve the function of a hidden layer with what      *)
(* precedes and follows it.                                                   *)
(*                                                                            *)
(* two s W b U c x == U s (W x + b) + c: a hidden layer between two affine    *)
(*              maps; s is applied entrywise                                  *)
(*   two_drop  == nothing reads neuron j                                      *)
(*   two_fold  == neuron j is constant                                        *)
(*   two_merge == neuron j is a scaling of neuron i that passes through s     *)
(*   two_affine == s is affine                                                *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Steps.
Variables (F : comRingType) (s : F -> F) (n m p : nat).

Definition two k (W : 'M[F]_(k, n)) (b : 'cV_k) (U : 'M_(p, k)) (c : 'cV_p) (x : 'cV_n) : 'cV_p :=
  U *m map_mx s (W *m x + b) + c.

Variables (W : 'M[F]_(m.+1, n)) (b : 'cV[F]_(m.+1)) (U : 'M[F]_(p, m.+1)) (c : 'cV[F]_p).
Implicit Types (i j : 'I_m.+1) (x : 'cV[F]_n).

Lemma mulmx_col' j q (h : 'M[F]_(m.+1, q)) : U *m h = col' j U *m row' j h + col j U *m row j h.
Proof.
apply/matrixP=> a e; rewrite !mxE (bigD1_ord j) //= addrC big_ord1 !mxE; congr (_ + _).
by apply: eq_bigr => k _; rewrite !mxE.
Qed.

Lemma row'_hidden j x :
  row' j (map_mx s (W *m x + b)) = map_mx s (row' j W *m x + row' j b).
Proof.
by apply/matrixP=> a e; rewrite !mxE; congr (s (_ + _)); apply: eq_bigr => k _; rewrite !mxE.
Qed.

Lemma hidden_value i x : map_mx s (W *m x + b) i 0 = s ((row i W *m x) 0 0 + b i 0).
Proof. by rewrite !mxE; congr (s (_ + _)); apply: eq_bigr => k _; rewrite mxE. Qed.

(* the column of neuron j times its value *)
Lemma two_without j x : two W b U c x =
  two (row' j W) (row' j b) (col' j U) (c + map_mx s (W *m x + b) j 0 *: col j U) x.
Proof.
rewrite /two (mulmx_col' j) row'_hidden addrAC -addrA; congr (_ + (_ + _)).
by apply/colP=> a; rewrite !mxE big_ord1 !mxE mulrC.
Qed.

Theorem two_drop j x : col j U = 0 ->
  two W b U c x = two (row' j W) (row' j b) (col' j U) c x.
Proof. by move=> unread; rewrite (two_without j) unread scaler0 addr0. Qed.

Theorem two_fold j x : row j W = 0 ->
  two W b U c x = two (row' j W) (row' j b) (col' j U) (c + s (b j 0) *: col j U) x.
Proof. by move=> const; rewrite (two_without j) hidden_value const mul0mx mxE add0r. Qed.

Theorem two_merge i j alpha beta lambda nu x :
  (forall t, s (alpha * t + beta) = lambda * s t + nu) -> i != j ->
  row j W = alpha *: row i W -> b j 0 = alpha * b i 0 + beta ->
  two W b U c x = two (row' j W) (row' j b)
    (col' j (U + lambda *: (col j U *m delta_mx 0 i))) (c + nu *: col j U) x.
Proof.
move=> passes neq_ij eqW eqb.
set u := col j U; set H := map_mx s (row' j W *m x + row' j b).
have read_i : col' j (lambda *: (u *m delta_mx 0 i)) *m H
            = (lambda * map_mx s (W *m x + b) i 0) *: u.
  have /unlift_some[k def_i _] : j != i by rewrite eq_sym.
  apply/colP=> a; rewrite !mxE (bigD1 k) //= big1 => [|l neq_lk]; rewrite !mxE big_ord1 !mxE.
    rewrite -def_i !eqxx mulr1 addr0 -mulrA [U a j * _]mulrC mulrA; congr (_ * s (_ + _) * _).
    by apply: eq_bigr => l _; rewrite mxE -def_i.
  by rewrite def_i (inj_eq lift_inj) (negPf neq_lk) !(mulr0, mul0r).
rewrite (two_without j) hidden_value eqW eqb -scalemxAl mxE addrA -mulrDr passes -hidden_value.
have split_col (A B : 'M[F]_(p, m.+1)) : col' j (A + B) = col' j A + col' j B.
  by apply/matrixP=> ? ?; rewrite !mxE.
rewrite /two split_col mulmxDl read_i scalerDl -!addrA; congr (_ + _).
exact: addrCA.
Qed.

Theorem two_affine q r x : (forall t, s t = q * t + r) ->
  two W b U c x = q *: (U *m W) *m x + (U *m (q *: b + const_mx r) + c).
Proof.
move=> affine; rewrite /two addrA; congr (_ + _).
have -> : map_mx s (W *m x + b) = q *: (W *m x) + (q *: b + const_mx r).
  by apply/colP=> a; rewrite !mxE affine mulrDr addrA.
by rewrite mulmxDr -scalemxAr mulmxA scalemxAl.
Qed.
End Steps.
