(******************************************************************************)
(* Polynomials in any number of variables, as lists of terms in descending    *)
(* order.  Soundness needs no order; only unequal spellings of equal          *)
(* polynomials would do.                                                      *)
(*                                                                            *)
(*       terms C == lists of terms: exponents of variables 0, 1, 2, ... and a *)
(*                  coefficient                                               *)
(* tval env p == the value of p where variable i has the value env i          *)
(* tadd, tscale, tmul, tequal == sum, multiple, product, equality             *)
(*     tvar i, tconstant c == a variable, a constant                          *)
(* as_constant p == Some c when p is the constant c                           *)
(*   below n p == p involves variables before n only                          *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Arith Ring.
From Identcert Require Import Network Ring.
Import ListNotations.

Definition exponents := list nat.

(* lexicographic, with zeros beyond the end *)
Fixpoint compare_exponents (m m' : exponents) : comparison :=
  match m, m' with
  | [], _ => if forallb (Nat.eqb 0) m' then Eq else Lt
  | _, [] => if forallb (Nat.eqb 0) m then Eq else Gt
  | k :: m, k' :: m' => match k ?= k' with Eq => compare_exponents m m' | c => c end
  end.
Fixpoint product_exponents (m m' : exponents) : exponents :=
  match m, m' with
  | [], _ => m'
  | _, [] => m
  | k :: m, k' :: m' => (k + k') :: product_exponents m m'
  end.
Fixpoint exponents_below n (m : exponents) : bool :=
  match m, n with
  | [], _ => true
  | _, 0 => forallb (Nat.eqb 0) m
  | _ :: m, S n => exponents_below n m
  end.

Section Compute.
Variable C : arithmetic.
Definition terms := list (exponents * C).
Implicit Types (p q : terms) (c : C).

Fixpoint tadd p : terms -> terms :=
  fix merge q :=
    match p, q with
    | [], _ => q
    | _, [] => p
    | (m, c) :: p', (m', c') :: q' =>
        match compare_exponents m m' with
        | Eq => let s := add c c' in if ceqb s zero then tadd p' q' else (m, s) :: tadd p' q'
        | Gt => (m, c) :: tadd p' q
        | Lt => (m', c') :: merge q'
        end
    end.
Definition tscale c p : terms :=
  if ceqb c zero then [] else map (fun t => (fst t, mul c (snd t))) p.
Definition tterm m c p : terms := map (fun t => (product_exponents m (fst t), mul c (snd t))) p.
Definition tmul p q : terms := fold_right (fun t r => tadd (tterm (fst t) (snd t) q) r) [] p.
Definition tconstant c : terms := if ceqb c zero then [] else [([], c)].
Definition tvar i : terms := [(repeat 0 i ++ [1], c1)].
Definition tequal p q : bool := if tadd p (tscale cN1 q) is [] then true else false.

Definition as_constant p : option C :=
  match p with
  | [] => Some zero
  | [(m, c)] => if compare_exponents m [] is Eq then Some c else None
  | _ => None
  end.
Definition below n p : bool := forallb (fun t => exponents_below n (fst t)) p.
End Compute.
Arguments tadd {C}.
Arguments tscale {C}.
Arguments tterm {C}.
Arguments tmul {C}.
Arguments tconstant {C}.
Arguments tvar {C}.
Arguments tequal {C}.
Arguments as_constant {C}.
Arguments below {C}.

Section Sound.
Variables (A : signature) (rA : ring A) (C : arithmetic) (v : C -> A).
Hypothesis ev : evaluation rA C v.
Add Ring values : (ringP rA).
Implicit Types (env : nat -> A) (p q : terms C) (m : exponents) (i n : nat).

Fixpoint power (t : A) n : A := if n is S n then mul t (power t n) else one rA.
Fixpoint mval env i m : A := if m is k :: m then mul (power (env i) k) (mval env (S i) m) else one rA.
Fixpoint tval env p : A :=
  if p is (m, c) :: p then add (mul (v c) (mval env 0 m)) (tval env p) else zero.

Lemma powerD t n n' : power t (n + n') = mul (power t n) (power t n').
Proof. by elim: n => [|n IHn] /=; rewrite ?IHn; ring. Qed.

Lemma mval_product env i m m' : mval env i (product_exponents m m') = mul (mval env i m) (mval env i m').
Proof.
by elim: m m' i => [|k m IHm] [|k' m'] i /=; rewrite ?powerD ?IHm; ring.
Qed.

Lemma mval0 env i m : forallb (Nat.eqb 0) m -> mval env i m = one rA.
Proof. by elim: m i => //= -[|k] m IHm i //= /IHm ->; ring. Qed.

Lemma mval_compare env i m m' : compare_exponents m m' = Eq -> mval env i m = mval env i m'.
Proof.
elim: m m' i => [|k m IHm] m' i /=.
  by case: ifP => // /(mval0 env i) -> _; case: m'.
case: m' => [|k' m']; first by case: ifP => // /(mval0 env i (k :: m)).
by case: Nat.compare_spec => // -> /(IHm _ (S i)) /= ->.
Qed.

Lemma tval_add env p q : tval env (tadd p q) = add (tval env p) (tval env q).
Proof.
elim: p q => [|[m c] p IHp]; first by case=> [|t q] /=; ring.
elim=> [|[m' c'] q IHq]; first by rewrite /=; ring.
rewrite /=; case def_cmp: compare_exponents => /=.
- case: ifP => [/(eval_eq ev) sum0|_] /=; rewrite IHp (mval_compare _ 0 _ _ def_cmp).
    transitivity (add (mul (v (add c c')) (mval env 0 m')) (add (tval env p) (tval env q))).
      by rewrite sum0 (eval0 ev); ring.
    by rewrite (evalD ev); ring.
  by rewrite (evalD ev); ring.
- by rewrite IHq /=; ring.
- by rewrite IHp /=; ring.
Qed.

Lemma tval_scale env c p : tval env (tscale c p) = mul (v c) (tval env p).
Proof.
rewrite /tscale; case: ifP => [/(eval_eq ev) ->|_]; first by rewrite (eval0 ev) /=; ring.
by elim: p => [|[m a] p IHp] /=; rewrite ?IHp ?(evalM ev); ring.
Qed.

Lemma tval_term env m c p : tval env (tterm m c p) = mul (mul (v c) (mval env 0 m)) (tval env p).
Proof.
by elim: p => [|[m' a] p IHp] /=; rewrite ?IHp ?mval_product ?(evalM ev); ring.
Qed.

Lemma tval_mul env p q : tval env (tmul p q) = mul (tval env p) (tval env q).
Proof. by elim: p => [|[m c] p IHp] /=; rewrite ?tval_add ?tval_term ?IHp; ring. Qed.

Lemma tval_constant env c : tval env (tconstant c) = v c.
Proof. by rewrite /tconstant; case: ifP => [/(eval_eq ev) ->|_] /=; rewrite ?(eval0 ev); ring. Qed.

Lemma tval_var env i : tval env (tvar i) = env i.
Proof.
suff mval_var j : mval env j (repeat 0 i ++ [1]) = env (j + i).
  by rewrite /= (mval_var 0) (eval1 ev) /=; ring.
elim: i j => [|i IHi] j /=; first by rewrite Nat.add_0_r; ring.
by rewrite IHi Nat.add_succ_comm; ring.
Qed.

Lemma tval_equal env p q : tequal p q -> tval env p = tval env q.
Proof.
rewrite /tequal; case def_d: tadd => [|//] _; transitivity (add (tval env q) (tval env [])).
  by rewrite -def_d tval_add tval_scale (evalN1 ev); ring.
by rewrite /=; ring.
Qed.

Lemma as_constantP env p c : as_constant p = Some c -> tval env p = v c.
Proof.
case: p => [|[m a] [|]] //=; first by case=> <-; rewrite (eval0 ev).
by case def_cmp: compare_exponents => // -[<-]; rewrite (mval_compare _ 0 _ _ def_cmp) /=; ring.
Qed.

Lemma mval_below env env' n i m : exponents_below n m ->
  (forall j, j < n -> env (i + j) = env' (i + j)) -> mval env i m = mval env' i m.
Proof.
elim: n i m => [|n IHn] i [|k m] //; first by move=> zeros _; rewrite !mval0.
move=> /= below_m eq_env; have -> : env i = env' i.
  by rewrite -(Nat.add_0_r i); apply: eq_env; apply: Nat.lt_0_succ.
congr mul; apply: IHn below_m _ => j lt_jn; rewrite Nat.add_succ_comm.
exact/eq_env/(proj1 (Nat.succ_lt_mono _ _)).
Qed.

Lemma tval_below env env' n p : below n p -> (forall j, j < n -> env j = env' j) ->
  tval env p = tval env' p.
Proof.
move=> + eq_env; elim: p => //= -[m c] p IHp /andP[below_m /IHp ->].
by rewrite (mval_below env env' n 0).
Qed.
End Sound.
