(******************************************************************************)
(* Formal values: a network evaluated at indeterminate inputs.  Values are    *)
(* polynomials in the inputs and in atoms; an atom is a value sigma p of an   *)
(* activation that is no polynomial.  Equal formal values are equal values,   *)
(* whatever the activations, as far as their laws go.                         *)
(*                                                                            *)
(*     atoms C == the list of (name of an activation, argument); variable     *)
(*                inputs + i is the value of atom i                           *)
(* formal_value divide laws inputs atoms n p == Some value of activation n at *)
(*                p, as a polynomial or through an atom, scaled or mirrored   *)
(* discover_atoms == atoms that make all values exist                         *)
(* formal_check ... rho tau == the formal values of network net (rho x) and   *)
(*                of tau (network net x) are equal                            *)
(* formal_sound == then these are equal at every x; word_formal for words     *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Arith Ring.
From Identcert Require Import Network Ring Sparse Law Certificate Evaluation Refutation.
Import ListNotations.

Definition atoms (C : arithmetic) := list (nat * terms C).

Section Compute.
Variables (C : arithmetic) (divide : C -> C -> C) (laws : nat -> law C) (inputs : nat).
Implicit Types (p q : terms C) (s : scaling C) (n i : nat).

Definition leading p : C := if p is (_, c) :: _ then c else zero.
Fixpoint first_scaling (l : law C) p q (candidates : list C) : option (scaling C) :=
  if candidates is a :: candidates then
    let s := propose l a in
    if admits l s && tequal p (tadd (tscale (alpha s) q) (tconstant (beta s))) then Some s
    else first_scaling l p q candidates
  else None.
Definition scaling_of (l : law C) p q :=
  first_scaling l p q [c1; cN1; divide (leading p) (leading q)].
Definition scaled_value s t : terms C := tadd (tscale (lambda s) t) (tconstant (nu s)).

Definition value_by_atom n p i n' q : option (terms C) :=
  if n =? n' then
    let t := tvar (inputs + i) in
    if scaling_of (laws n) p q is Some s then Some (scaled_value s t)
    else if mirror (laws n) is Some (a, m) then
      let p' := tscale cN1 p in
      if scaling_of (laws n) p' q is Some s then
        Some (tadd (tscale a (scaled_value s t)) (tscale m p'))
      else None
    else None
  else None.
Fixpoint value_by_atoms n p i (ats : atoms C) : option (terms C) :=
  if ats is (n', q) :: ats then
    if value_by_atom n p i n' q is Some r then Some r else value_by_atoms n p (S i) ats
  else None.

Fixpoint polynomial_value (cs : list C) p : terms C :=
  if cs is c :: cs then tadd (tconstant c) (tmul p (polynomial_value cs p)) else [].
Definition exact_constant n p : option (terms C) :=
  if as_constant p is Some c then omap tconstant (exact (laws n) c) else None.
Definition formal_value (ats : atoms C) n p : option (terms C) :=
  if poly (laws n) is Some cs then Some (polynomial_value cs p)
  else if exact_constant n p is Some r then Some r else value_by_atoms n p 0 ats.

Definition formal : signature :=
  Signature (option (terms C)) (Some []) (lift tadd) (lift tmul).
Definition formal_number (c : C) : formal := Some (tconstant c).
Definition formal_activation (ats : atoms C) n (d : formal) : formal := obind (formal_value ats n) d.
Definition formal_inputs : list formal := map (fun i => Some (tvar i)) (seq 0 inputs).

Fixpoint discover_values n (ps : list formal) (ats : atoms C) : list formal * atoms C :=
  match ps with
  | Some p :: ps =>
      let (r, ats) := if formal_value ats n p is Some r then (r, ats)
                      else (tvar (inputs + length ats), ats ++ [(n, p)]) in
      let (rs, ats) := discover_values n ps ats in (Some r :: rs, ats)
  | _ => ([], ats)
  end.
Fixpoint discover_atoms {A} names (net : list (layer C A)) (x : list formal) (ats : atoms C) : atoms C :=
  match net, names with
  | l :: net, n :: names =>
      let (x', ats) := discover_values n (affine formal_number (weight l) (bias l) x) ats in
      discover_atoms names net x' ats
  | _, _ => ats
  end.

Fixpoint stratified_atoms i (ats : atoms C) : bool :=
  if ats is (_, p) :: ats then below i p && stratified_atoms (S i) ats else true.
Fixpoint same_values (p q : list formal) : bool :=
  match p, q with
  | Some a :: p, Some b :: q => tequal a b && same_values p q
  | [], [] => true
  | _, _ => false
  end.

Definition formal_network {A} ats names (net : list (layer C A)) (x : list formal) : list formal :=
  network formal_number (with_activations (map (formal_activation ats) names) net) x.
Definition formal_check {A} names (net : list (layer C A)) (rho tau : action C) : bool :=
  let x := formal_inputs in
  let y := apply formal_number rho x in
  let ats := discover_atoms names net y (discover_atoms names net x []) in
  (length rho =? inputs) && stratified_atoms inputs ats &&
  same_values (formal_network ats names net y)
              (apply formal_number tau (formal_network ats names net x)).
End Compute.
Arguments formal_check {C} divide laws inputs {A}.

Section Sound.
Variables (A : signature) (rA : ring A) (C : arithmetic) (v : C -> A).
Hypothesis ev : evaluation rA C v.
Add Ring values : (ringP rA).
Variables (divide : C -> C -> C) (classes : list (class v)).
Let laws := laws A rA C v ev classes.
Let sigma := sigma A rA C v ev classes.
Let lawful_at n : lawful v (laws n) (sigma n) := laws_lawful A rA C v ev classes n.
Implicit Types (p q : terms C) (e x : list A).

Definition at_list e p : A := tval A rA C v (fun i => nth i e zero) p.

Fixpoint atom_values (ats : atoms C) e : list A :=
  if ats is (n, p) :: ats then atom_values ats (e ++ [sigma n (at_list e p)]) else e.

Lemma at_list_prefix e f p : below (length e) p -> at_list (e ++ f) p = at_list e p.
Proof. by move=> below_p; apply: (tval_below _ _ _ _ _ _ (length e)) => // j lt_j; apply: app_nth1. Qed.

Lemma atom_valuesP ats e : stratified_atoms C (length e) ats ->
  exists2 f, length f = length ats &
    atom_values ats e = e ++ f /\ forall i n p, nth_error ats i = Some (n, p) ->
      nth (length e + i) (e ++ f) zero = sigma n (at_list (e ++ f) p).
Proof.
elim: ats e => [|[n p] ats IHats] e.
  by move=> _; exists []; rewrite ?app_nil_r //; split=> // -[].
move=> /andP[below_p strat]; set s := sigma n (at_list e p).
have {}/IHats[f len_f [def_e atsP]] : stratified_atoms C (length (e ++ [s])) ats.
  by rewrite app_length Nat.add_1_r.
exists (s :: f); rewrite /= ?len_f //; move: def_e atsP; rewrite -app_assoc /= => -> atsP.
split=> // -[|i] n' p' /=; last by move=> /atsP; rewrite app_length -Nat.add_assoc.
by move=> [<- <-]; rewrite (Coordinates.nth_fixed A e (s :: f) 0) at_list_prefix.
Qed.

Section AtValues.
Variables (inputs : nat) (e : list A) (ats : atoms C).
Hypothesis e_atoms : forall i n p, nth_error ats i = Some (n, p) ->
  nth (inputs + i) e zero = sigma n (at_list e p).
Let env i := nth i e zero.
Local Notation tval := (tval A rA C v env).

Lemma scaling_ofP n p q s : scaling_of C divide (laws n) p q = Some s ->
  sigma n (tval p) = add (mul (v (lambda s)) (sigma n (tval q))) (v (nu s)).
Proof.
rewrite /scaling_of; elim: (_ :: _ :: _) => //= a candidates IHa.
case: ifP => [/andP[/(admitsP _ _ _ (lawful_at n)) passes] | _ /IHa //].
move=> /(tval_equal _ rA _ _ ev env) -> [<-].
by rewrite tval_add // tval_scale // tval_constant // passes.
Qed.

Lemma scaled_valueP s t : tval (scaled_value C s t) = add (mul (v (lambda s)) (tval t)) (v (nu s)).
Proof. by rewrite tval_add // tval_scale // tval_constant. Qed.

Lemma value_by_atomP n p i n' q r : nth (inputs + i) e zero = sigma n' (tval q) ->
  value_by_atom C divide laws inputs n p i n' q = Some r -> tval r = sigma n (tval p).
Proof.
move=> def_i; rewrite /value_by_atom; case: Nat.eqb_spec => // eq_n; rewrite -eq_n in def_i.
case def_s: scaling_of => [s|].
  by move=> [<-]; rewrite scaled_valueP (scaling_ofP _ _ _ _ def_s) tval_var // /env def_i.
case def_m: mirror => [[a m]|] //; case def_s': scaling_of => [s|] // [<-].
have opposite : add (tval (tscale cN1 p)) (tval p) = zero.
  by rewrite tval_scale // (evalN1 ev); ring.
rewrite (mirrorP _ _ _ (lawful_at n) _ _ def_m _ _ opposite) (scaling_ofP _ _ _ _ def_s').
by rewrite tval_add // !(tval_scale _ rA _ _ ev _ _ (scaled_value _ _ _)) !(tval_scale _ rA _ _ ev _ m)
  scaled_valueP tval_var // /env def_i.
Qed.

Lemma value_by_atomsP n p r i rest :
  (forall j n' q, nth_error rest j = Some (n', q) -> nth (inputs + (i + j)) e zero = sigma n' (tval q)) ->
  value_by_atoms C divide laws inputs n p i rest = Some r -> tval r = sigma n (tval p).
Proof.
elim: rest i => [|[n' q] rest IHrest] i //= restP.
case def_r: value_by_atom => [r'|].
  by move=> [<-]; apply: value_by_atomP def_r; rewrite -(restP 0 _ _ erefl) Nat.add_0_r.
by apply: IHrest => j n1 q1 /(restP (S j)); rewrite Nat.add_succ_comm.
Qed.

Lemma polynomial_valueP cs p : tval (polynomial_value C cs p) = horner v (tval p) cs.
Proof. by elim: cs => //= c cs IHcs; rewrite tval_add // tval_mul // tval_constant // IHcs. Qed.

Lemma formal_valueP n p r : formal_value C divide laws inputs ats n p = Some r ->
  tval r = sigma n (tval p).
Proof.
rewrite /formal_value; case def_cs: poly => [cs|].
  by move=> [<-]; rewrite polynomial_valueP (polyP _ _ _ (lawful_at n) _ def_cs).
case def_c: exact_constant => [r'|]; last exact: value_by_atomsP.
move=> [<-]; move: def_c; rewrite /exact_constant; case def_p: as_constant => [c|] //.
case def_d: exact => [d|] //= [<-]; rewrite tval_constant // (as_constantP _ rA _ _ ev _ _ _ def_p).
by rewrite (exactP _ _ _ (lawful_at n) _ _ def_d).
Qed.

Definition stands_for (d : formal C) (a : A) := if d is Some p then tval p = a else True.

Lemma formal_related : related stands_for.
Proof.
by split=> [|[p|] a [q|] b|[p|] a [q|] b] //= <- <-; [rewrite tval_add | rewrite tval_mul].
Qed.

Lemma formal_number_stands c : stands_for (formal_number C c) (v c).
Proof. exact: tval_constant. Qed.

Variables (names : list nat) (net : list (layer C A)).
Hypothesis def_activations : map activation net = map sigma names.

Lemma formal_network_related y z : Forall2 stands_for y z ->
  Forall2 stands_for (formal_network C divide laws inputs ats names net y) (network v net z).
Proof.
apply: (network_related _ _ _ _ _ _ formal_related formal_number_stands); rewrite def_activations.
elim: names => //= n ns IHns; constructor=> // -[p|] a //= <-.
by case def_r: formal_value => [r|] //=; apply: formal_valueP.
Qed.

Lemma same_valuesP ps qs y z : Forall2 stands_for ps y -> Forall2 stands_for qs z ->
  same_values C ps qs -> y = z.
Proof.
move=> rel_p; elim: rel_p qs z => [|[a|] b ps' y' rel_a _ IHp] qs z [|[c|] d qs' z' rel_c rel_q'] //=.
by move=> /andP[/(tval_equal _ rA _ _ ev env) eq_ac /(IHp _ _ rel_q') ->]; rewrite -rel_a -rel_c eq_ac.
Qed.
End AtValues.

Lemma inputs_stand y x f : Forall2 (stands_for (y ++ x ++ f))
  (map (fun i => Some (tvar i)) (seq (length y) (length x))) x.
Proof.
elim: x y => //= t x IHx y; constructor.
  rewrite /stands_for (tval_var _ rA _ _ ev) -[length y]Nat.add_0_r.
  exact: (Coordinates.nth_fixed A y (t :: x ++ f) 0).
by have := IHx (y ++ [t]); rewrite app_length Nat.add_1_r -app_assoc.
Qed.

Variables (inputs : nat) (names : list nat) (net : list (layer C A)).
Hypothesis def_activations : map activation net = map sigma names.

Theorem formal_sound rho tau x : length x = inputs ->
  formal_check divide laws inputs names net rho tau = true ->
  network v net (apply v rho x) = apply v tau (network v net x).
Proof.
move=> len_x; rewrite /formal_check; set ats := discover_atoms _ _ _ _ _ _ _ _.
case/andP=> /andP[_ strat]; rewrite -len_x in strat.
have [f _ [_ e_atoms]] := atom_valuesP _ _ strat; rewrite len_x in e_atoms.
have rel_x : Forall2 (stands_for (x ++ f)) (formal_inputs C inputs) x.
  by rewrite /formal_inputs -len_x; apply: (inputs_stand []).
have rel_apply k := apply_related _ _ _ _ _ _ (formal_related (x ++ f)) (formal_number_stands _) k.
have rel_net := formal_network_related inputs (x ++ f) ats e_atoms names net def_activations.
exact: same_valuesP (rel_net _ _ (rel_apply rho _ _ rel_x)) (rel_apply tau _ _ (rel_net _ _ rel_x)).
Qed.

Theorem word_formal G (rho tau : G -> action C) :
  (forall g, formal_check divide laws inputs names net (rho g) (tau g) = true) ->
  forall w x, length x = inputs ->
  network v net (word v rho w x) = word v tau w (network v net x).
Proof.
move=> chk; elim=> [|g w IHw] x len_x //=; rewrite -IHw //.
apply: (formal_sound _ _ _ _ (chk g)); case: w {IHw} => //= h w; rewrite /apply map_length.
by have := chk h; rewrite /formal_check => /andP[/andP[/Nat.eqb_eq -> _] _].
Qed.
End Sound.
Arguments word_formal {A rA C v} ev divide classes inputs names net def_activations {G}.
