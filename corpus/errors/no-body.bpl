//@ exit 2
//@ says: has no procedure with a body
procedure main(n: int) returns (m: int);
  ensures m > n;
