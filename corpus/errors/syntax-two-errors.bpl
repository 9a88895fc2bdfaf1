//@ exit 2
// Each error is reported.

procedure first()
{
  var x: int;

  x := ; //~ error: expected an expression, found `;`
}

procedure second()
{
  goto; //~ error: expected a label, found `;`
}
