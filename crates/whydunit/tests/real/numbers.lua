-- Arithmetic, recursion, loops.
local function fib(n)
    if n < 2 then return n end
    return fib(n - 1) + fib(n - 2)
end
print(fib(16))

local function gcd(a, b)
    while b ~= 0 do a, b = b, a % b end
    return a
end
print(gcd(1071, 462), gcd(2^10, 24), 7 // 2, -7 // 2, 7 % -3, 7.5 // 2)
print(1 << 40, ~5, 0xff ~ 0x0f, 3 | 8, 10 / 4, 2 ^ 0.5, math.pi)
print(math.maxinteger, math.mininteger, math.maxinteger + 1 == math.mininteger)
print(1e15, 1e16, 1e100, -0.0, 1 / 0, -1 / 0, 100000000000000, 0x1p-3)
print(math.floor(-3.7), math.ceil(3.2), math.fmod(7, -3), math.sqrt(2), math.sin(1), math.exp(1))
print(tostring(3) == "3", tonumber("0x10"), tonumber("  12.5e1 "), tonumber("z", 36), tonumber("1e"))
print(math.type(1), math.type(1.0), math.type("1"), 3 == 3.0, "10" + 5)

local primes, sieve = {}, {}
for i = 2, 400 do
    if not sieve[i] then
        primes[#primes + 1] = i
        for j = i * i, 400, i do sieve[j] = true end
    end
end
print(#primes, primes[#primes], table.concat(primes, " ", 1, 12))
