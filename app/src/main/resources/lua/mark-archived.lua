-- Notes at a post that the archive has it, or will have it in a moment, and reads it. Whoever deletes the post then
-- knows that the archive has to delete it, too. Running it again answers the same.
--
-- KEYS[1]  the post
-- Returns  names and values of all fields, or {} when there is no such post or it is deleted
-- Cost     O(N)

if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], 'deleted') == 1 then
  return {}
end
redis.call('HSET', KEYS[1], 'archived', '1')
return redis.call('HGETALL', KEYS[1])
