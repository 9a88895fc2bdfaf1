procedure main()
{
  var rain, umbrella, wet: bool;

  rain := true; //~ relevance: enforcing false
  umbrella := false; //~ relevance: enforcing true
  wet := rain && !umbrella; //~ relevance: enforcing
  assert (rain ==> umbrella) <==> !wet;
  assert wet ==> !rain; //~ failure: assertion
}
