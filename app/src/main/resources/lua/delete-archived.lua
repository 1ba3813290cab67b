-- Marks a post as deleted that only the archive has. Until the archive has deleted it, too, this hides it.
--
-- KEYS[1]  the post
-- ARGV     names and values of the fields that a deleted post keeps
-- Returns  { "1" }, or { "0" } when the post is in Redis after all, so that it must be deleted there
-- Cost     O(M)

if redis.call('EXISTS', KEYS[1]) == 1 then
  return { '0' }
end
redis.call('HSET', KEYS[1], unpack(ARGV))
return { '1' }
