// Uses about everything the language has. /* not a comment
/* a comment /* inside */ a comment */
type Ref;
type {:attribute 1, "two"} Byte = bv8;
type Heap = [Ref, int]Byte;
const null: Ref;
const unique red, green: Ref;
const {:weight 3} limit: int complete;
axiom {:id "limit"} limit > 0 && limit != 10;
axiom (limit ≤ 100 ∧ ¬(limit ≥ 200)) ⇒ limit ≠ 50;
axiom limit == 1 <==> limit == 1;

function {:bvbuiltin "bvadd"} add8(x: bv8, y: bv8) returns (bv8);
function {:bvbuiltin "(_ sign_extend 24)"} extend(x: bv8) returns (r: bv32);
function { :builtin "bvslt" } less(bv32, bv32) returns (bool);
function {:inline true} next(x: int) : int { x + 1 }
function choose(b: bool, x: int, y: int) returns (int) { if b then x else y }
function unknown(int, Ref): bool;

var heap: Heap, size: int where size >= 0;
var {:volatile} matrix: [int][int]real;
var a, b: [int]int, flag: bool;
var ~x~0 : int;
var #valid : [int]bv1;

procedure max(x: int, y: int) returns (m: int);
  requires true;
  free requires x != y;
  modifies size, heap;
  modifies ;
  ensures {:named} m >= x && m >= y;
  free ensures m == x || m == y;
  ensures size == old(size) + 1;

implementation {:verify false} max(p: int, q: int) returns (r: int)
{
  if (p > q) { r := p; } else if (*) { r := q; } else { r := choose(p < q, q, p); }
  size := size + 1;
  return;
}

procedure {:entry} ULTIMATE.start() returns ()
  modifies ~x~0;
{
  var main_#t~ret5: int, \type, i, j: int where i >= 0;
  var v: bv8; var w: bv32;
  var {:local} r: real;
  var done: bool;
  $Ultimate##0:
  call main_#t~ret5 := max(1, -2);
  call {:tag} nothing();
  \type := main_#t~ret5 div 2 mod 3;
  i, j := j, i;
  a[i], b[next(j)] := b[i], a[j];
  matrix[i][j] := 1.5e-1 + real(i) / 2.0;
  r := matrix[1][2] * -3e2;
  heap[null, 0] := add8(v, 255bv8);
  heap := heap[red, 1 := heap[green, 2]];
  a := a[1 := 2][3 := 4];
  w := extend(v);
  v := w[16:8];
  w := v ++ v ++ 0bv16;
  #valid[0] := v[1:0];
  havoc i, done;
  assume {:branch} i < limit;
  outer: while (i < limit && !done)
    invariant i >= 0;
    free invariant {:hint} j == old(~x~0) ==> done ==> flag;
  {
    i := {:step} i + 1;
    while (*) {
      if (less(w, 7bv32)) { break outer; }
      if (unknown(i, null)) { break; }
      goto leave;
    }
    done := if i == 5 then true else if i == 6 then false else (done: bool);
  leave:
  }
  assert {:msg "the \"end\""} int(r) <= 1000 || done || !(flag <==> done);
  goto $Ultimate##1;
  $Ultimate##1:
  ~x~0 := i;
}

procedure nothing();
procedure empty() { }
