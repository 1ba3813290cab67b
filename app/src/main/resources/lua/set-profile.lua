-- Stores what others see of a user. The picture and its hash change together. It does not create a user who is gone.
-- Running it again changes nothing. The answer says whether this run has changed something, because that is logged once.
--
-- KEYS[1]  the user
-- KEYS[2]  the user's picture
-- ARGV[1]  name to show
-- ARGV[2]  bio
-- ARGV[3]  hash of a new picture; empty to remove the picture; left out to keep it
-- ARGV[4]  the new picture, if there is one
-- Returns  { "1" }, or { "0" } when there is no such user or nothing has changed; a new picture is always stored
-- Cost     O(1)

if redis.call('HEXISTS', KEYS[1], 'password') == 0 then
  return { '0' }
end
local before = redis.call('HMGET', KEYS[1], 'name', 'bio', 'picture')
local has_same_picture = not ARGV[3] or (ARGV[3] == '' and not before[3])
if before[1] == ARGV[1] and before[2] == ARGV[2] and has_same_picture then
  return { '0' }
end
redis.call('HSET', KEYS[1], 'name', ARGV[1], 'bio', ARGV[2])
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], 'picture')
  redis.call('DEL', KEYS[2])
elseif ARGV[3] then
  redis.call('HSET', KEYS[1], 'picture', ARGV[3])
  redis.call('SET', KEYS[2], ARGV[4])
end
return { '1' }
