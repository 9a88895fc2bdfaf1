// Paper 3, section 4.2.3: the second definition blames the limit, which is never read.

procedure main()
{
  var limit, size: int;

  limit := 10;
  havoc size; //~ relevance: admitting 0
  assume size > 0;
  assert false; //~ failure: assertion
}
