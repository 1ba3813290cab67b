-- Removes a user's picture and its hash if they still are what the repair has seen. Running it again answers the same.
--
-- KEYS[1]  the user
-- KEYS[2]  the user's picture
-- ARGV[1]  the hash that the user must have; empty for none
-- ARGV[2]  the picture that must be there; empty for none
-- Returns  { "1" } both are gone, { "0" } one of them has changed
-- Cost     O(1)

local hash = redis.call('HGET', KEYS[1], 'picture') or ''
local picture = redis.call('GET', KEYS[2]) or ''
if hash == '' and picture == '' then
  return { '1' }
end
if hash ~= ARGV[1] or picture ~= ARGV[2] then
  return { '0' }
end
redis.call('HDEL', KEYS[1], 'picture')
redis.call('DEL', KEYS[2])
return { '1' }
