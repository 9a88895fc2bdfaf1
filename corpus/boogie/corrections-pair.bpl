// Two wrong values. The first could also come from the other branch.
procedure main(x : int)
{
    var y, z : int;

    assume x == 3;
    y := 0; //~ relevance: enforcing 4
    z := 5; //~ fault
    if (x > 5) //~ fault
    {
        y := 4;
    }
    assert y == 4; //~ failure: assertion
    assert z == 6;
}
