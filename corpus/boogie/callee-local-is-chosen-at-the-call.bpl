// The callee chooses its local when it is called, after the limit is set: whatever the limit is, it can
// choose one above it. So no constant for the limit prevents the failure.

var limit: int;

procedure probe()
{
  var reading: int where reading > limit;

  assert false; //~ failure: assertion
}

procedure main()
  modifies limit;
{
  limit := 5;
  call probe();
}
