(******************************************************************************)
(* The activations of real networks that Coq's library does not name; tanh,   *)
(* sin, atan and Rabs it does.                                                *)
(******************************************************************************)
From Coq Require Import List Reals QArith Qreals.
From Identcert Require Import Network Ring Polynomial.
Open Scope R_scope.

Canonical R_signature := Signature R 0 Rplus Rmult.
Definition R_ring : ring R_signature := Ring R_signature 1 Rminus Ropp RTheory.

Definition logistic (t : R) := / (1 + exp (- t)).
Definition softplus (t : R) := ln (1 + exp t).
Definition silu (t : R) := t * logistic t.
Definition elu (t : R) := if Rle_dec 0 t then t else exp t - 1.
Definition relu (t : R) := Rmax 0 t.
Definition leaky_relu (s : Q) (t : R) := Rmax 0 t + Q2R s * Rmin 0 t.
Definition hard_tanh (t : R) := Rmax (-1) (Rmin 1 t).
Definition relu6 (t : R) := Rmax 0 (Rmin 6 t).

(* p_0 + p_1 t + p_2 t^2 + ... *)
Definition polynomial (p : list Q) (t : R) : R := horner Q2R t p.
Definition identity (t : R) := t.
