(******************************************************************************)
(* Reduction steps, replayed on the given network; each preserves the map.    *)
(*                                                                            *)
(*   Affine l == the activation of layer l is t |-> p t + q: layers l and     *)
(*               l + 1 become one                                             *)
(*   Drop l j == nothing reads neuron j of layer l                            *)
(*   Fold l j == neuron j of layer l is constant                              *)
(* Merge l i j a == neuron j of layer l is a times neuron i, about the centre *)
(*      atoms == the constants sigma (row over 1 and earlier atoms) that have *)
(*               no exact value                                               *)
(* constants atoms e == e, followed by the values of the atoms                *)
(* replay k laws atoms steps net == Some reduced network, if every step may   *)
(*               be taken                                                     *)
(* discover k laws steps net == atoms that make replay succeed, if any do     *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Arith Ring.
From Identcert Require Import Network Ring Rows Law Coordinates Latents.
Import ListNotations.

Inductive step (C : Type) :=
  Affine (l : nat) | Drop (l j : nat) | Fold (l j : nat) | Merge (l i j : nat) (a : C).
Arguments Affine {C}.
Arguments Drop {C}.
Arguments Fold {C}.
Arguments Merge {C}.

Section Compute.
Variables (C : arithmetic) (k : nat) (laws : nat -> law C).
Implicit Types (L N : coded C) (net : list (coded C)) (s : scaling C) (r b : list C).

Fixpoint at_layer (f : coded C -> coded C -> option (list (coded C))) l net :=
  match l, net with
  | 0, L :: N :: net => option_map (fun front => front ++ net) (f L N)
  | S l, L :: net => option_map (cons L) (at_layer f l net)
  | _, _ => None
  end.

(* r with coordinate i replaced by what the row u says of it *)
Definition eliminate i u r :=
  if ceqb (nth i r zero) zero then del i r
  else radd (del i r) (rscale (nth i r zero) (del i u)).
Definition without j u L N :=
  [Coded (del j (rows L)) (name L); Coded (map (eliminate (k + j) u) (rows N)) (name N)].
Definition replaced j u L N := if ceqb (nth (k + j) u zero) zero then Some (without j u L N) else None.

Definition related (l : law C) s r r' := admits l s && req r (radd (rscale (alpha s) r') [beta s]).
Definition image_row s i := radd_at i (lambda s) [nu s].

Definition affine_step L N :=
  if slope (laws (name L)) is Some (p, q) then
    let M := map (fun i => rat i c1) (seq 0 k) ++ map (fun r => radd (rscale p r) [q]) (rows L) in
    Some [Coded (map (fun r => gather r M) (rows N)) (name N)]
  else None.

Definition drop_step j L N :=
  if forallb (fun r => ceqb (nth (k + j) r zero) zero) (rows N) then Some (without j [] L N) else None.

Definition merge_step i j a L N :=
  let s := propose (laws (name L)) a in
  if [&& i <? length (rows L), j <? length (rows L), ceqb (alpha s) a
       & related (laws (name L)) s (nth j (rows L) []) (nth i (rows L) [])]
  then replaced j (image_row s (k + i)) L N else None.

Variable atoms : list (nat * list C).

Definition mirrors n b n' b' :=
  if (n =? n') && rzero (radd b b') then mirror (laws n) else None.
Fixpoint find_atom n b i (atoms : list (nat * list C)) : option (list C) :=
  if atoms is (n', b') :: atoms then
    let matches s := (n =? n') && related (laws n) s b b' in
    let s := propose (laws n) c1 in let s' := propose (laws n) cN1 in
    if matches s then Some (image_row s i)
    else if matches s' then Some (image_row s' i)
    else if mirrors n b n' b' is Some (a, m) then Some (radd (rscale m (firstn k b')) (rat i a))
    else find_atom n b (S i) atoms
  else None.
Definition exact_value n b : option (list C) :=
  if rzero (tl b) then option_map (fun d => [d]) (exact (laws n) (hd zero b)) else None.
Definition constant n b : option (list C) :=
  if exact_value n b is Some u then Some u else find_atom n b 1 atoms.

Definition fold_step j L N :=
  let r := nth j (rows L) [] in
  let b := firstn k r in
  if (j <? length (rows L)) && req r b then
    if constant (name L) b is Some u then replaced j u L N else None
  else None.

Definition take (st : step C) net :=
  match st with
  | Affine l => at_layer affine_step l net
  | Drop l j => at_layer (drop_step j) l net
  | Fold l j => at_layer (fold_step j) l net
  | Merge l i j a => at_layer (merge_step i j a) l net
  end.

Fixpoint replay steps net :=
  if steps is st :: steps then
    if take st net is Some net' then replay steps net' else None
  else Some net.

Fixpoint stratified i (atoms : list (nat * list C)) :=
  if atoms is (_, b) :: atoms then (length b <=? i) && stratified (S i) atoms else true.
End Compute.
Arguments at_layer {C}.
Arguments eliminate {C}.
Arguments without {C}.
Arguments replaced {C}.
Arguments related {C}.
Arguments image_row {C}.
Arguments affine_step {C}.
Arguments drop_step {C}.
Arguments merge_step {C}.
Arguments find_atom {C}.
Arguments mirrors {C}.
Arguments exact_value {C}.
Arguments constant {C}.
Arguments fold_step {C}.
Arguments take {C}.
Arguments replay {C}.
Arguments stratified {C}.

Fixpoint discover {C : arithmetic} k (laws : nat -> law C) (steps : list (step C)) net atoms : list (nat * list C) :=
  if steps is st :: steps then
    if take k laws atoms st net is Some net' then discover k laws steps net' atoms
    else if st is Fold l j then
      let L := nth l net (Coded [] 0) in
      let atom := (name L, firstn (S (length atoms)) (nth j (rows L) [])) in
      let atoms' := atoms ++ [atom] in
      if take k laws atoms' st net is Some net' then discover k laws steps net' atoms' else atoms'
    else atoms
  else atoms.

Lemma map_del S T (f : S -> T) j s : map f (del j s) = del j (map f s).
Proof. by elim: s j => [|a s IHs] [|j] //=; rewrite IHs. Qed.

Lemma del_app T (e h : list T) j : e ++ del j h = del (length e + j) (e ++ h).
Proof. by elim: e => //= t e ->. Qed.

Section Sound.
Variables (A : signature) (rA : ring A) (C : arithmetic) (v : C -> A).
Hypothesis ev : evaluation rA C v.
Add Ring values : (ringP rA).
Variables (laws : nat -> law C) (sigma : nat -> A -> A).
Hypothesis laws_lawful : forall n, lawful v (laws n) (sigma n).
Variables (e : list A) (atoms : list (nat * list C)).
Hypothesis e_one : nth 0 e zero = one rA.
Local Notation k := (length e).
Hypothesis k_gt0 : 0 < k.
Hypothesis e_atoms : forall i n b, nth_error atoms i = Some (n, b) ->
  nth (S i) e zero = sigma n (dot v b e).
Local Notation run := (run v sigma e).
Local Notation hidden L x := (e ++ map (sigma (name L)) (linear v (rows L) (e ++ x))).

Lemma nth_one x : nth 0 (e ++ x) zero = one rA.
Proof. exact: Coordinates.nth_one. Qed.

Lemma dot_eliminate i u r (st : list A) :
  (v (nth i r zero) = zero \/ nth i st zero = dot v (del i u) (del i st)) ->
  dot v (eliminate i u r) (del i st) = dot v r st.
Proof.
move=> cond; rewrite (dot_del _ rA _ _ ev i r) /eliminate; case: ifP => [/(eval_eq ev) ->|_].
  by rewrite (eval0 ev); ring.
by rewrite (dotD _ rA) // (dotZ _ rA) //; case: cond => ->; ring.
Qed.

Lemma run_without j u L N x :
  (forall r, In r (rows N) -> v (nth (k + j) r zero) = zero)
  \/ nth (k + j) (hidden L x) zero = dot v (del (k + j) u) (del (k + j) (hidden L x)) ->
  run (without k j u L N) x = run [L; N] x.
Proof.
move=> cond /=; congr map; rewrite /linear !map_del del_app map_map; apply: map_ext_in => r in_r.
by apply: dot_eliminate; case: cond => [/(_ r in_r)|]; [left|right].
Qed.

Lemma run_replaced j u L N out x : replaced k j u L N = Some out ->
  nth (k + j) (hidden L x) zero = dot v u (hidden L x) -> run out x = run [L; N] x.
Proof.
rewrite /replaced; case: ifP => // /(eval_eq ev) uj0 [<-] def_j; apply: run_without; right.
by rewrite [LHS]def_j (dot_del _ rA _ _ ev (k + j) u) uj0 (eval0 ev); ring.
Qed.

Lemma dot_image_row s i x :
  dot v (image_row s i) (e ++ x) = add (mul (v (lambda s)) (nth i (e ++ x) zero)) (v (nu s)).
Proof.
rewrite (dot_at _ rA) //; case: e e_one k_gt0 => [_ /Nat.lt_irrefl|t e' /= ->] // _; ring.
Qed.

Lemma related_image n s r r' x : related (laws n) s r r' ->
  sigma n (dot v r (e ++ x)) =
  add (mul (v (lambda s)) (sigma n (dot v r' (e ++ x)))) (v (nu s)).
Proof.
move=> /andP[/(admitsP _ _ _ (laws_lawful n)) <- /(dot_eq _ rA _ _ ev) ->]; congr sigma.
rewrite (dotD _ rA) // (dotZ _ rA) //; congr add.
by case: e e_one k_gt0 => [_ /Nat.lt_irrefl|t e' /= ->] // _; ring.
Qed.

Lemma nth_hidden L j x : j < length (rows L) ->
  nth (k + j) (hidden L x) zero = sigma (name L) (dot v (nth j (rows L) []) (e ++ x)).
Proof.
move=> lt_j; rewrite nth_fixed (nth_indep _ _ (sigma (name L) zero)) ?map_length // map_nth.
by rewrite (nth_map_dot A C v j).
Qed.

Lemma at_layer_run f l net net' x :
  (forall L N out x, f L N = Some out -> run out x = run [L; N] x) ->
  at_layer f l net = Some net' -> run net' x = run net x.
Proof.
move=> fP; elim: l net net' x => [|l IHl] [|L net] net' x //=.
  case: net => [|N net] //; case def_out: f => [out|] //= [<-].
  by rewrite run_app (fP _ _ _ _ def_out).
by case def_out: at_layer => [out|] //= [<-] /=; apply: IHl.
Qed.

Lemma run_affine L N out x : affine_step k laws L N = Some out -> run out x = run [L; N] x.
Proof.
rewrite /affine_step; case def_slope: slope => [[p q]|//] [<-] /=.
congr map; rewrite /linear map_map; apply: map_ext => r.
rewrite (dot_gather _ rA) // map_app -/(linear v _ _) (fixed_dense _ rA) //; congr (dot v r (e ++ _)).
rewrite /linear !map_map; apply: map_ext => w.
rewrite (slopeP _ rA _ _ ev _ _ _ _ (laws_lawful _) def_slope) (dotD _ rA) // (dotZ _ rA) //; congr add.
by case: e e_one k_gt0 => [_ /Nat.lt_irrefl|t e' /= ->] // _; ring.
Qed.

Lemma run_drop j L N out x : drop_step k j L N = Some out -> run out x = run [L; N] x.
Proof.
rewrite /drop_step; case: ifP => // /forallb_forall unread [<-]; apply: run_without; left=> r in_r.
by rewrite (eval_eq ev _ _ (unread r in_r)) (eval0 ev).
Qed.

Lemma run_merge i j a L N out x :
  merge_step k laws i j a L N = Some out -> run out x = run [L; N] x.
Proof.
rewrite /merge_step; case: ifP => // /and4P[/Nat.ltb_lt lt_i /Nat.ltb_lt lt_j _ rel].
by move/run_replaced; apply; rewrite dot_image_row !nth_hidden // (related_image _ _ _ _ _ rel).
Qed.

Lemma dot_firstn w x y : dot v (firstn (length x) w) (x ++ y) = dot v (firstn (length x) w) (x ++ []).
Proof. by elim: x w => [|t x IHx] [|c w] //=; rewrite IHx. Qed.

Lemma dot_cut w x : dot v w (x ++ []) = dot v (firstn (length x) w) (x ++ []).
Proof. by elim: x w => [|t x IHx] [|c w] //=; rewrite IHx. Qed.

Lemma find_atomP n b i u x (rest : list (nat * list C)) :
  (forall m n b, nth_error rest m = Some (n, b) -> nth (i + m) e zero = sigma n (dot v b e)) ->
  i + length rest = k -> find_atom k laws n b i rest = Some u ->
  sigma n (dot v b (e ++ [])) = dot v u (e ++ x).
Proof.
elim: rest i => [|[n' b'] rest IHrest] i //= restP def_k.
have i_lt_k : i < k by rewrite -def_k; apply: Nat.lt_add_pos_r; apply: Nat.lt_0_succ.
have atom s : (n =? n') && related (laws n) s b b' ->
    sigma n (dot v b (e ++ [])) = dot v (image_row s i) (e ++ x).
  move=> /andP[/Nat.eqb_eq -> /related_image ->]; rewrite dot_image_row app_nth1 // app_nil_r.
  by rewrite -(restP 0 _ _ erefl) Nat.add_0_r.
case: ifP => [/atom eq_s [<-] //|_]; case: ifP => [/atom eq_s [<-] //|_].
case def_mir: mirrors => [[a m]|].
  move: def_mir; rewrite /mirrors; case: ifP => // /andP[/Nat.eqb_eq -> bb'0] def_mir [<-].
  have sum0 : add (dot v b' (e ++ [])) (dot v b (e ++ [])) = zero.
    by rewrite -(dot0 _ rA _ _ ev _ (e ++ []) bb'0) (dotD _ rA) //; ring.
  rewrite (mirrorP _ _ _ (laws_lawful n') _ _ def_mir _ _ sum0) (dotD _ rA) // (dotZ _ rA) //.
  rewrite (dot_rat _ rA) // app_nth1 // dot_firstn -dot_cut app_nil_r -(restP 0 _ _ erefl) Nat.add_0_r.
  by ring.
apply: IHrest => [m n1 b1 /(restP (S m)) <-|]; first by rewrite -Nat.add_succ_comm.
by rewrite -def_k Nat.add_succ_comm.
Qed.

Lemma constantP n b u x : k = S (length atoms) -> constant k laws atoms n b = Some u ->
  sigma n (dot v b (e ++ [])) = dot v u (e ++ x).
Proof.
move=> def_k; rewrite /constant /exact_value; case: ifP => [pure|_]; last first.
  by apply: find_atomP => // m n' b' /e_atoms.
case def_d: exact => [d|] /=; last by apply: find_atomP => // m n' b' /e_atoms.
have first_only c w y : rzero w -> dot v (c :: w) (e ++ y) = v c.
  case: e e_one k_gt0 => [_ /Nat.lt_irrefl|t e' /= -> _] // /(dot0 _ rA _ _ ev) ->; ring.
move=> [<-]; rewrite first_only // -(exactP _ _ _ (laws_lawful n) _ _ def_d); congr sigma.
by case: b pure {def_d} => [|c b] /= pure; [rewrite (eval0 ev) | rewrite first_only].
Qed.

Lemma run_fold j L N out x : k = S (length atoms) ->
  fold_step k laws atoms j L N = Some out -> run out x = run [L; N] x.
Proof.
move=> def_k; rewrite /fold_step; case: ifP => // /andP[/Nat.ltb_lt lt_j pure].
case def_u: constant => [u|//] /run_replaced; apply.
rewrite nth_hidden // (dot_eq _ rA _ _ ev _ _ _ pure) dot_firstn.
exact: (constantP _ _ _ _ def_k def_u).
Qed.

Theorem replay_sound steps net net' x : k = S (length atoms) ->
  replay k laws atoms steps net = Some net' -> run net' x = run net x.
Proof.
move=> def_k; elim: steps net => [|st steps IHst] net /=; first by case=> ->.
case def_net1: take => [net1|//] /IHst ->.
by case: st def_net1 => [l|l j|l j|l i j a] /=; apply: at_layer_run => L N out y;
  [apply: run_affine | apply: run_drop | apply: run_fold | apply: run_merge].
Qed.
End Sound.
