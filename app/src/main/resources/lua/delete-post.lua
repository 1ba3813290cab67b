-- Marks a post as deleted, and removes its text and the names of its author and of the user to whom it replies. Running
-- it again answers the same.
--
-- KEYS[1]  the post
-- ARGV[1]  id of the user who asks
-- ARGV[2]  mark of this request; the post keeps it, so that the same request is recognised when it is sent again
-- ARGV[3]  its tags and the names that it mentions, for those who remove it from their lists; "" for none
-- Returns  { "done" } deleted by this request, { "before" } deleted by another request, { "gone" } there is no such
--          post, or its key holds something else, { "other" } the user is not the author
-- Cost     O(1)

local author = redis.pcall('HGET', KEYS[1], 'author')
if type(author) ~= 'string' then
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
if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[1], 'links', ARGV[3])
end
redis.call('HDEL', KEYS[1], 'body', 'username', 'reply_username')
return { 'done' }
