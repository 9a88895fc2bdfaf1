//@ exit 2
function f(x: int): int;
axiom (forall x: int :: f(x) > x); //~ error: `forall` is not supported

procedure main()
{
  assert f(1) > 2;
}
