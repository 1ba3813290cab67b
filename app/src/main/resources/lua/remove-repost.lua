-- Removes a repost from the reposts of a post, unless its user has another one there.
--
-- KEYS[1]  the reposts of the post: user id and id of the repost
-- ARGV[1]  user id
-- ARGV[2]  id of the repost
-- Returns  { "1" } when it was removed, { "0" } when it was not there
-- Cost     O(1)

if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return { '0' }
end
redis.call('HDEL', KEYS[1], ARGV[1])
return { '1' }
