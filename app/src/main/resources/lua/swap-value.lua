-- Stores the next value of a string if it still has the one that the caller knows. Run twice, the second run changes
-- nothing and answers the stored value.
--
-- KEYS[1]  the string
-- ARGV[1]  the value that the caller knows; empty for a string that is not stored
-- ARGV[2]  the next value
-- ARGV[3]  after how many ms it expires
-- Returns  nothing when the next value was stored; else the value that the string has, empty for none
-- Cost     O(1)

local value = redis.call('GET', KEYS[1]) or ''
if value ~= ARGV[1] then
  return { value }
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return {}
