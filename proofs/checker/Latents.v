(******************************************************************************)
(* Latents: monomial maps that carry an action through a network, layer by    *)
(* layer.  No identifiability is needed to check them.                        *)
(*                                                                            *)
(*  monomial C == (p, a) for each neuron: z |-> a z_p, about the centre of    *)
(*                the activation                                              *)
(* carries k R M K == M R = K M, for R, K sparse and M a matrix of rows, all  *)
(*                extended by the identity on the k fixed numbers             *)
(* transport k m l ks == Some (K, rho): before the activation with law l, ks  *)
(*                is K, and after it is the action rho                        *)
(* check k laws net rho latents tau == the action rho of the input goes       *)
(*                through every layer of net and comes out as tau             *)
(* layers_carry net rhos == every layer carries rho_i to rho_(i+1)            *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Arith Lia Ring.
From Identcert Require Import Network Ring Rows Law Coordinates.
Import ListNotations.

Section Compute.
Variables (C : arithmetic) (k : nat).

Fixpoint forallb2 {S T} (f : S -> T -> bool) (s : list S) (t : list T) : bool :=
  match s, t with
  | a :: s, b :: t => f a b && forallb2 f s t
  | [], [] => true
  | _, _ => false
  end.

Definition carries (R : list (list (nat * C))) (M : list (list C)) (K : list (list (nat * C))) :=
  let R1 := map (fun i => [(i, c1)]) (seq 0 k) ++ R in
  let M1 := map (fun i => rat i c1) (seq 0 k) ++ M in
  forallb2 (fun m r => req (through m R1) (comb r M1)) M K.

Definition monomial := list (nat * C).
Fixpoint transport m (l : law C) (ks : monomial) : option (list (list (nat * C)) * action C) :=
  match ks with
  | [] => Some ([], [])
  | (p, a) :: ks =>
      let s := propose l a in
      if [&& p <? m, ceqb (alpha s) a & admits l s] then
        if transport m l ks is Some (K, rho) then
          Some (encode_row k ([(p, alpha s)], beta s) :: K, ([(p, lambda s)], nu s) :: rho)
        else None
      else None
  end.

Definition is_identity (l : law C) :=
  if slope l is Some (p, q) then ceqb p c1 && ceqb q zero else false.

Variable laws : nat -> law C.
Fixpoint check (net : list (coded C)) (rho : action C) (latents : list monomial)
    (tau : action C) : bool :=
  match net, latents with
  | [l], [] =>
      carries (encode_action k rho) (rows l) (encode_action k tau) && is_identity (laws (name l))
  | l :: net, ks :: latents =>
      if transport (length (rows l)) (laws (name l)) ks is Some (K, rho') then
        carries (encode_action k rho) (rows l) K && check net rho' latents tau
      else false
  | _, _ => false
  end.
End Compute.
Arguments carries {C}.
Arguments transport {C}.
Arguments is_identity {C}.
Arguments check {C}.

Lemma forallb2P S T (f : S -> T -> bool) U (g : S -> U) (h : T -> U) s t :
  (forall a b, f a b -> g a = h b) -> forallb2 f s t -> map g s = map h t.
Proof.
by move=> fP; elim: s t => [|a s IHs] [|b t] //= /andP[/fP -> /IHs ->].
Qed.

Lemma nth_prefix T (e x : list T) d : map (fun i => nth i (e ++ x) d) (seq 0 (length e)) = e.
Proof. by elim: e => //= t e IHe; rewrite -seq_shift map_map IHe. Qed.

Section Sound.
Variables (A : signature) (rA : ring A) (C : arithmetic) (v : C -> A).
Hypothesis ev : evaluation rA C v.
Add Ring values : (ringP rA).
Variables (laws : nat -> law C) (sigma : nat -> A -> A).
Hypothesis laws_lawful : forall n, lawful v (laws n) (sigma n).
Variable e : list A.
Hypothesis e_one : nth 0 e zero = one rA.
Local Notation k := (length e).
Hypothesis k_gt0 : 0 < k.
Local Notation image R x := (map (fun r => sparse v r x) R).

Lemma fixed_sparse (x : list A) :
  image (map (fun i => [(i, @c1 C)]) (seq 0 k)) (e ++ x) = e.
Proof.
rewrite -[RHS](nth_prefix _ e x zero) map_map; apply: map_ext => i /=.
by rewrite (eval1 ev); ring.
Qed.

Lemma fixed_dense (x : list A) : linear v (map (fun i => rat i (@c1 C)) (seq 0 k)) (e ++ x) = e.
Proof.
rewrite -[RHS](nth_prefix _ e x zero) /linear map_map; apply: map_ext => i.
by rewrite (dot_rat _ rA) // (eval1 ev); ring.
Qed.

Lemma carriesP R M K x : carries k R M K ->
  linear v M (e ++ image R (e ++ x)) = image K (e ++ linear v M (e ++ x)).
Proof.
apply: forallb2P => m r /(dot_eq _ rA _ _ ev _ _ (e ++ x)).
rewrite (dot_through _ rA) // (dot_comb _ rA) // !map_app.
by rewrite fixed_sparse -/(linear v _ _) fixed_dense.
Qed.

Lemma transportP n m ks K rho z : length z = m -> transport k m (laws n) ks = Some (K, rho) ->
  map (sigma n) (image K (e ++ z)) = apply v rho (map (sigma n) z).
Proof.
move=> len_z; elim: ks K rho => [|[p a] ks IHks] K rho /=; first by move=> [<- <-].
case: ifP => // /and3P[p_lt_m _ adm]; case: transport IHks => [[K' rho']|//] /(_ _ _ erefl) IHks.
move=> [<- <-]; rewrite !map_cons IHks (sparse_encode_row _ rA _ _ ev _ e_one k_gt0) /=.
congr cons; transitivity (sigma n (add (mul (v (alpha (propose (laws n) a))) (nth p z zero))
                                       (v (beta (propose (laws n) a))))).
  by congr sigma; ring.
have p_lt : p < length (map (sigma n) z) by rewrite map_length len_z; apply/Nat.ltb_lt.
rewrite (admitsP _ _ _ (laws_lawful n) _ adm) (nth_indep _ zero (sigma n zero) p_lt) map_nth.
by ring.
Qed.

Lemma is_identityP n t : is_identity (laws n) -> sigma n t = t.
Proof.
rewrite /is_identity; case def_slope: slope => [[p q]|//] /andP[/(eval_eq ev) eqp /(eval_eq ev) eqq].
by rewrite (slopeP _ rA _ _ ev _ _ _ _ (laws_lawful n) def_slope) eqp eqq (eval1 ev) (eval0 ev); ring.
Qed.

Definition step_of (l : coded C) (x : list A) := map (sigma (name l)) (linear v (rows l) (e ++ x)).
Fixpoint layers_carry (net : list (coded C)) (rhos : list (action C)) : Prop :=
  match net, rhos with
  | l :: net, rho :: (tau :: _) as rhos =>
      (forall x, step_of l (apply v rho x) = apply v tau (step_of l x)) /\ layers_carry net rhos
  | [], [_] => True
  | _, _ => False
  end.

Lemma carries_layer rho M K x : carries k (encode_action k rho) M K ->
  linear v M (e ++ apply v rho x) = image K (e ++ linear v M (e ++ x)).
Proof. by move/carriesP => <-; rewrite (sparse_encode _ rA _ _ ev _ e_one k_gt0). Qed.

Lemma check_layers net rho latents tau : check k laws net rho latents tau ->
  exists hidden, layers_carry net (rho :: hidden ++ [tau]).
Proof.
elim: net rho latents => [|l net IHnet] rho latents; first by case: latents.
have hidden ks latents' :
  (if transport k (length (rows l)) (laws (name l)) ks is Some (K, rho') then
     carries k (encode_action k rho) (rows l) K && check k laws net rho' latents' tau else false) ->
  exists hidden, layers_carry (l :: net) (rho :: hidden ++ [tau]).
  case def_K: transport => [[K rho']|//] /andP[carr /IHnet[hidden chain]].
  exists (rho' :: hidden); split=> // x; rewrite /step_of (carries_layer _ _ _ _ carr).
  by rewrite (transportP _ _ _ _ _ _ _ def_K) ?map_length.
case: latents => [|ks latents] chk; last first.
  by apply: (hidden ks latents); case: net chk {IHnet hidden} => [|l' net].
case: net chk {IHnet hidden} => // /andP[carr is_id]; exists []; split=> // x.
have sigma1 z : map (sigma (name l)) z = z.
  by rewrite -[RHS]map_id; apply: map_ext => t; apply: is_identityP.
by rewrite /step_of !sigma1 (carries_layer _ _ _ _ carr) (sparse_encode _ rA _ _ ev _ e_one k_gt0).
Qed.

Lemma run_carry net rho hidden tau x : layers_carry net (rho :: hidden ++ [tau]) ->
  run v sigma e net (apply v rho x) = apply v tau (run v sigma e net x).
Proof.
elim: net rho hidden x => [|l net IHnet] rho hidden x; first by case: hidden => [|? []].
case: hidden => [|rho' hidden] /= [l_carries chain]; last first.
  by rewrite -/(step_of l _) l_carries; apply: IHnet chain.
by case: net chain {IHnet} => //= _; rewrite -/(step_of l _) l_carries.
Qed.

Theorem check_sound net rho latents tau x : check k laws net rho latents tau ->
  run v sigma e net (apply v rho x) = apply v tau (run v sigma e net x).
Proof. by case/check_layers => hidden; apply: run_carry. Qed.
End Sound.
