(******************************************************************************)
(* Certificates of equivariance: reduction steps, then latents.               *)
(*                                                                            *)
(* certificate classes names steps net rho latents tau == the boolean check:  *)
(*       layer i of net has the activation of class number names_i; the steps *)
(*       reduce net; the latents carry the action rho of one generator        *)
(*       through the reduced network, where it comes out as tau               *)
(* layers_equivariant == without steps, every layer of net itself carries an  *)
(*       action to the next one, from rho to tau                              *)
(* word_equivariant == a certificate for every generator gives                *)
(*       network net (word rho w x) = word tau w (network net x)              *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Arith.
From Identcert Require Import Network Ring Rows Law Coordinates Latents Reduction.
Import ListNotations.

Section Certificate.
Variables (A : signature) (rA : ring A) (C : arithmetic) (v : C -> A).
Hypothesis ev : evaluation rA C v.

Definition trivial_class : class v := Class v _ _ (identity_lawful A rA C v ev).

Variable classes : list (class v).
Definition class_at n := nth n classes trivial_class.
Definition laws n := law_of (class_at n).
Definition sigma n := sigma_of (class_at n).

Lemma laws_lawful n : lawful v (laws n) (sigma n).
Proof. exact: class_lawful. Qed.

Fixpoint constants (atoms : list (nat * list C)) (e : list A) : list A :=
  if atoms is (n, b) :: atoms then constants atoms (e ++ [sigma n (dot v b e)]) else e.

Lemma dot_prefix w (x y : list A) : length w <= length x -> dot v w (x ++ y) = dot v w x.
Proof.
elim: w x => [|c w IHw] [|t x] //=; first by move/Nat.nle_succ_0.
by move=> /le_S_n /IHw ->.
Qed.

Lemma constantsP atoms e : stratified (length e) atoms ->
  exists2 t, length t = length atoms &
    constants atoms e = e ++ t /\ forall i n b, nth_error atoms i = Some (n, b) ->
      nth (length e + i) (e ++ t) zero = sigma n (dot v b (e ++ t)).
Proof.
elim: atoms e => [|[n b] atoms IHatoms] e.
  by move=> _; exists []; rewrite ?app_nil_r //; split=> // -[].
move=> /andP[/Nat.leb_le le_b strat]; set s := sigma n (dot v b e).
have {}/IHatoms[t len_t [def_e atomsP]] : stratified (length (e ++ [s])) atoms.
  by rewrite app_length Nat.add_1_r.
exists (s :: t); rewrite /= ?len_t //; move: def_e atomsP; rewrite -app_assoc /= => ->.
move=> atomsP; split=> // -[|i] n' b' /=; last first.
  by move=> /atomsP; rewrite app_length -Nat.add_assoc.
by move=> [<- <-]; rewrite nth_fixed dot_prefix.
Qed.

Variables (names : list nat) (steps : list (step C)) (net : list (layer C A)).
Definition certificate (rho : action C) (latents : list (monomial C)) (tau : action C) : bool :=
  let k0 := S (length steps) in
  let atoms := discover k0 laws steps (encode k0 names net) [] in
  let k := S (length atoms) in
  stratified 1 atoms &&
  if replay k laws atoms steps (encode k names net) is Some reduced then
    check k laws reduced rho latents tau
  else false.

Hypothesis def_activations : map activation net = map sigma names.

Theorem certificate_sound rho latents tau : certificate rho latents tau = true ->
  forall x, network v net (apply v rho x) = apply v tau (network v net x).
Proof.
rewrite /certificate; set atoms := discover _ _ _ _ _ => /andP[strat].
have [t len_t [_ atomsP]] := constantsP atoms [one rA] strat.
set e := [one rA] ++ t in atomsP; have def_k : S (length atoms) = length e by rewrite /= len_t.
have k_gt0 : 0 < length e by rewrite -def_k; apply: Nat.lt_0_succ.
rewrite def_k; case def_reduced: replay => [reduced|//] chk x.
have eq_run y : network v net y = run v sigma e reduced y.
  rewrite (replay_sound _ rA _ _ ev _ _ laws_lawful e atoms erefl k_gt0 atomsP _ _ _ y _ def_reduced) //.
  by rewrite (run_encode _ rA _ _ ev e erefl k_gt0).
rewrite !eq_run; exact: (check_sound _ rA _ _ ev _ _ laws_lawful e erefl k_gt0 _ _ _ _ _ chk).
Qed.

Lemma layers_encode (e : list A) ns ls rhos : nth 0 e zero = one rA -> 0 < length e ->
  map activation ls = map sigma ns ->
  layers_carry _ _ v sigma e (encode (length e) ns ls) rhos -> layerwise v ls rhos.
Proof.
move=> e_one e_gt0; elim: ls ns rhos => [|[W b s] ls IHls] [|n ns] [|rho [|tau rhos]] //= [-> acts].
case=> carries chain; split; last exact: IHls acts chain.
by move=> x; have := carries x; rewrite /step_of /= !(linear_joined _ rA _ _ ev).
Qed.

Theorem layers_equivariant rho latents tau : steps = [] -> certificate rho latents tau = true ->
  exists hidden, layerwise v net (rho :: hidden ++ [tau]).
Proof.
move=> no_steps; rewrite /certificate no_steps /= => chk.
have one_gt0 : 0 < length [one rA] by apply: Nat.lt_0_1.
have [hidden chain] := check_layers _ rA _ _ ev _ _ laws_lawful [one rA] erefl one_gt0 _ _ _ _ chk.
by exists hidden; apply: (layers_encode [one rA]) chain.
Qed.

Theorem word_equivariant G (rho tau : G -> action C) (latents : G -> list (monomial C)) :
  (forall g, certificate (rho g) (latents g) (tau g) = true) ->
  forall w x, network v net (word v rho w x) = word v tau w (network v net x).
Proof.
by move=> cert; elim=> [|g w IHw] x //=; rewrite (certificate_sound _ _ _ (cert g)) IHw.
Qed.
End Certificate.
Arguments trivial_class {A rA C v}.
Arguments layers_equivariant {A rA C v} ev classes names steps net def_activations.
Arguments word_equivariant {A rA C v} ev classes names steps net def_activations {G}.
