-- Forgets the former words of a user when they are removed from the search. If other words were noted meanwhile, or the
-- user is gone, it does nothing: what the caller has added may be known to nobody else then, so the caller begins again.
-- Running it again answers the same.
--
-- KEYS[1]  the user
-- ARGV[1]  the words that were noted, as note-words.lua has answered
-- ARGV[2]  the words by which the user is found now
-- Returns  { "1" } done, also when it was done before; { "0" } not done
-- Cost     O(1)

local words = redis.call('HGET', KEYS[1], 'words')
if redis.call('HEXISTS', KEYS[1], 'password') == 0 or (words ~= ARGV[1] and words ~= ARGV[2]) then
  return { '0' }
end
redis.call('HSET', KEYS[1], 'words', ARGV[2])
return { '1' }
