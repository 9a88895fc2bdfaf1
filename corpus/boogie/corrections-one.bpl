// One wrong assignment. The number that it reads is also needed elsewhere.
procedure main()
{
    var n, double, half : int;

    n := 7;
    double := n + n + 1; //~ fault //~ corrections: alone //~ relevance: enforcing 14
    half := n div 2;
    assert double == 14; //~ failure: assertion
    assert half == 3;
}
