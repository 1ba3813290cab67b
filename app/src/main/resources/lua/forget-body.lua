-- Removes the text of a post that is marked as deleted.
--
-- KEYS[1]  the post
-- Returns  { "1" } the post has no text, { "0" } the post is not deleted
-- Cost     O(1)

if redis.call('HEXISTS', KEYS[1], 'deleted') == 0 then
  return { '0' }
end
redis.call('HDEL', KEYS[1], 'body')
return { '1' }
