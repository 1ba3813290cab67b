-- Marks a post as deleted and forgets its text and all names in it. Sent again it answers the same.
--
-- KEYS[1]  the post
-- ARGV[1]  the user who asks
-- ARGV[2]  mark of the wish; a post that has the same one was deleted by this wish
-- Returns  { "gone" } no such post, { "other" } not the author's, { "done" }, { "before" } by another wish

local author = redis.call('HGET', KEYS[1], 'author')
if not author then
  return { 'gone' }
end
if author ~= ARGV[1] then
  return { 'other' }
end
local mark = redis.call('HGET', KEYS[1], 'deleted')
if mark then
  return { mark == ARGV[2] and 'done' or 'before' }
end
redis.call('HSET', KEYS[1], 'deleted', ARGV[2])
redis.call('HDEL', KEYS[1], 'body', 'username', 'reply_username')
return { 'done' }
