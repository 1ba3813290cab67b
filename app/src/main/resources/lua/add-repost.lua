-- Adds a repost to the reposts of a post, unless its user has one there. Running it again changes nothing.
--
-- KEYS[1]  the reposts of the post: user id and id of the repost
-- ARGV[1]  user id
-- ARGV[2]  id of the repost
-- ARGV[3]  most reposts of one post
-- Returns  { the id of the user's repost }; {} when there are too many
-- Cost     O(1)

local there = redis.call('HGET', KEYS[1], ARGV[1])
if there then
  return { there }
end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then
  return {}
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return { ARGV[2] }
