-- Stores the same password encoded in another way. If the password was changed meanwhile, or the account deleted, nothing
-- changes. Running it again answers the same.
--
-- KEYS[1]  the user
-- ARGV[1]  the encoded password that is replaced
-- ARGV[2]  the password, encoded in the other way
-- Returns  { "1" }, or { "0" } when the user has another password
-- Cost     O(1)

local stored = redis.call('HGET', KEYS[1], 'password')
if stored == ARGV[1] then
  redis.call('HSET', KEYS[1], 'password', ARGV[2])
elseif stored ~= ARGV[2] then
  return { '0' }
end
return { '1' }
