-- Marks a post as deleted and forgets its text and all names in it. Sent again it answers the same.
--
-- KEYS[1]  the post
-- ARGV[1]  the user who asks
-- Returns  { "gone" } no such post, { "other" } not the author's, { "done" }

local author = redis.call('HGET', KEYS[1], 'author')
if not author then
  return { 'gone' }
end
if author ~= ARGV[1] then
  return { 'other' }
end
redis.call('HSET', KEYS[1], 'deleted', '1')
redis.call('HDEL', KEYS[1], 'body', 'username', 'reply_username')
return { 'done' }
