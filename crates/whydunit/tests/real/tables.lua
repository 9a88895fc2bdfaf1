-- Tables, closures, metatables, coroutines, and the garbage collector.
local t = {}
local state = 42
for i = 1, 200 do
    state = (state * 1103515245 + 12345) % 2147483648
    t[i] = state % 1000
end
table.sort(t)
print(t[1], t[100], t[200])
table.sort(t, function(a, b) return a > b end)
print(t[1], t[100], t[200])

local function counter()
    local n = 0
    return function() n = n + 1; return n end
end
local a, b = counter(), counter()
print(a(), a(), b(), a())

local Point = {}
Point.__index = Point
Point.__add = function(p, q) return setmetatable({ x = p.x + q.x, y = p.y + q.y }, Point) end
Point.__tostring = function(p) return "(" .. p.x .. ", " .. p.y .. ")" end
Point.__eq = function(p, q) return p.x == q.x and p.y == q.y end
local p = setmetatable({ x = 1, y = 2 }, Point) + setmetatable({ x = 3, y = 4 }, Point)
print(tostring(p), p == setmetatable({ x = 4, y = 6 }, Point), #{ 1, 2, 3, n = 4 })

local names = {}
for name in pairs({ one = 1, two = 2, three = 3 }) do names[#names + 1] = name end
table.sort(names)
print(table.concat(names, ","), table.unpack({ 1, 2, 3 }, 2))
print(table.concat(table.move({ 1, 2, 3 }, 1, 3, 2), " "), table.remove({ 5, 6, 7 }, 1), next({}))

for i = 1, 300 do local garbage = { i, tostring(i), {} } end
collectgarbage()
print(collectgarbage("count") < 1000, pcall(function() return "no error" end))
