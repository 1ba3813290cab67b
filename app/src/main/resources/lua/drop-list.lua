-- Removes a list that the archive has, if it is still as it was archived, and nobody has used it since.
--
-- KEYS[1]  the list
-- KEYS[2]  its mark
-- ARGV[1]  the mark that was read
-- ARGV[2]  the members that were read, each before its score, with a space between all of them
-- Returns  { "1" } when it is removed, { "0" } when it is not the same any more
-- Cost     O(N)

if redis.call('GET', KEYS[2]) ~= ARGV[1]
    or table.concat(redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES'), ' ') ~= ARGV[2] then
  return { '0' }
end
redis.call('DEL', KEYS[1], KEYS[2])
return { '1' }
