-- Strings: formats, patterns, substitution.
print(string.format("%5d|%-5d|%05.1f|%x|%q|%s|%10.4s|", 42, 42, 3.14159, 255, 'a "b"\n', nil, "abcdefgh"))
print(("hello world"):upper(), ("x"):rep(3, "-"), ("abc"):reverse(), #"abc", ("abc"):byte(1, -1))
print(("the quick brown fox"):gsub("%w+", function(w) return w:sub(1, 1):upper() .. w:sub(2) end))
print(("key = value"):match("^(%w+)%s*=%s*(%w+)$"))
print(("a,b,,c"):find(",", 1, true), ("f(a(b)c)d"):match("%b()"), ("  trim  "):match("^%s*(.-)%s*$") .. "|")
for word, number in ("one=1, two=2, three=3"):gmatch("(%w+)=(%w+)") do io.write(word, ":", number, ";") end
io.write("\n")
local count = {}
for c in ("mississippi"):gmatch(".") do count[c] = (count[c] or 0) + 1 end
print(count.m, count.i, count.s, count.p)
print(("%d items"):format(3), tostring(1.5), 10 .. "", "\u{48}\65\x42\z
       end")
print(string.pack("<i4", 100):byte(1, -1))
print(utf8.char(72, 228, 8364), utf8.len("häß"), #utf8.char(8364))
print(load("return 1 + 1")(), select("#", 1, nil, 3), select(-1, 1, 2, 3))
