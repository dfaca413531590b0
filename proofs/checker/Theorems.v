(******************************************************************************)
(* What generated proofs apply, over any real coefficients K: a boolean check *)
(* and its meaning.  `names` gives the activation of each layer by its place  *)
(* in a list of classes.                                                      *)
(*                                                                            *)
(* by_latents   == reduction steps and latents prove equivariance             *)
(* layers_by_latents == without steps, every layer is equivariant             *)
(* by_formal_values == equal formal values prove equivariance                 *)
(******************************************************************************)
From Coq Require Import ssreflect ssrfun ssrbool List Reals QArith.
From Identcert Require Import Network Ring Rational Law Polynomial Activations ActivationFacts
  Classes Latents Reduction Certificate Formal.
Import ListNotations.
Open Scope R_scope.

Section Theorems.
Variables (K : real_coefficients) (G : Type) (net : list (layer K R)) (rho tau : G -> action K) (n : nat).
Let v : K -> R := value.
Let ev : evaluation R_ring K v := value_evaluation K.
Local Notation equivariant := (forall w x, length x = n ->
  network v net (word v rho w x) = word v tau w (network v net x)).

Theorem by_latents (classes : list (class v)) names steps (latents : G -> list (monomial K)) :
  map activation net = map (sigma R_signature R_ring K v ev classes) names ->
  (forall g, certificate R_signature R_ring K v ev classes names steps net
               (rho g) (latents g) (tau g) = true) ->
  equivariant.
Proof. by move=> act cert w x _; apply: (word_equivariant ev _ _ _ _ act _ _ _ cert). Qed.

Theorem layers_by_latents (classes : list (class v)) names (latents : G -> list (monomial K)) :
  map activation net = map (sigma R_signature R_ring K v ev classes) names ->
  (forall g, certificate R_signature R_ring K v ev classes names [] net
               (rho g) (latents g) (tau g) = true) ->
  forall g, exists hidden, layerwise v net (rho g :: hidden ++ [tau g]).
Proof. by move=> act cert g; apply: (layers_equivariant ev _ _ _ _ act _ _ _ erefl (cert g)). Qed.

Theorem by_formal_values (classes : list (class v)) names :
  map activation net = map (sigma R_signature R_ring K v ev classes) names ->
  (forall g, formal_check divide (laws R_signature R_ring K v ev classes) n names net
               (rho g) (tau g) = true) ->
  equivariant.
Proof. by move=> act; apply: (word_formal ev _ _ _ _ _ act). Qed.
End Theorems.
