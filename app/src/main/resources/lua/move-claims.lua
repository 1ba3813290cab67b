-- Moves entries from a consumer to another one, or to the same one again. The latter says that it still works on them,
-- so that nobody takes them over.
--
-- KEYS[1]  a stream
-- ARGV[1]  consumer group
-- ARGV[2]  consumer that has the entries; those that it does not have any more stay where they are
-- ARGV[3]  consumer that gets them
-- ARGV[4]  ids of the entries
-- Returns  { number of entries moved }
-- Cost     O(M log N)

local moved = 0
for i = 4, #ARGV do
  if redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[i], ARGV[i], 1, ARGV[2])[1] then
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[3], 0, ARGV[i], 'JUSTID')
    moved = moved + 1
  end
end
return { tostring(moved) }
