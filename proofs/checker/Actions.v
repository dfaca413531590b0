(******************************************************************************)
(* The actions that files describe, over any coefficients C.                  *)
(*                                                                            *)
(* permutation C p == x |-> (x_(p_0), x_(p_1), ...)                           *)
(*    signed C p s == x |-> (s_0 x_(p_0), s_1 x_(p_1), ...), s_i = 1 or -1    *)
(*       dense C M == x |-> M x                                               *)
(* shifted C rho c == x |-> rho x + c                                         *)
(******************************************************************************)
From Coq Require Import List ZArith.
From Identcert Require Import Network Ring.

Section Actions.
Variable C : arithmetic.

Definition permutation (p : list nat) : action C :=
  map (fun i => (cons (i, c1) nil, zero)) p.
Definition signed (p : list nat) (s : list Z) : action C :=
  map (fun ia => (cons (fst ia, if Z.ltb (snd ia) 0 then cN1 else c1) nil, zero)) (combine p s).
Definition dense (M : list (list C)) : action C :=
  map (fun row => (combine (seq 0 (length row)) row, zero)) M.
Definition shifted (rho : action C) (c : list C) : action C :=
  map (fun rc => (fst (fst rc), snd rc)) (combine rho c).
End Actions.
