(******************************************************************************)
(* The actions that files describe, over any coefficients C.                  *)
(*                                                                            *)
(* permutation C p == x |-> (x_(p_0), x_(p_1), ...)                           *)
(*    signed C p s == x |-> (s_0 x_(p_0), s_1 x_(p_1), ...), s_i = 1 or -1    *)
(*       dense C M == x |-> M x                                               *)
(* shifted C rho c == x |-> rho x + c                                         *)
(* permuting C p, scaling_by C p a == the latents z |-> (z_(p_0), z_(p_1) ... *)
(*                    and z |-> (a_0 z_(p_0), a_1 z_(p_1), ...)               *)
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

Definition permuting (p : list nat) : list (nat * C) := map (fun i => (i, c1)) p.
Definition scaling_by (p : list nat) (a : list C) : list (nat * C) := combine p a.
End Actions.
