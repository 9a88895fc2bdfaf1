//@ no failure
//@ says: has no execution that violates a property
// No execution starts at all.

const limit: int;
axiom limit > 3;
axiom limit < 3;

procedure main()
{
  assert false;
}
