-- Adds a session to the list of its user's sessions, or notes that it was seen again. Sessions of older auth generations
-- are over. When the list is full, the sessions that were not seen for the longest time are too many. The caller ends
-- all of them, which takes them out of the list. A session that is over itself is not added.
-- The answer says whether this run has added it, because the caller then looks whether the session has ended meanwhile.
--
-- KEYS[1]  the user's sessions
-- ARGV[1]  public id of the session
-- ARGV[2]  hash of its token
-- ARGV[3]  its auth generation
-- ARGV[4]  the current time, in ms
-- ARGV[5]  browser and system
-- ARGV[6]  most sessions
-- ARGV[7]  how long a session lives, in seconds
-- Returns  "1" when the session was not in the list, else "0"; then token hashes of the sessions that the caller must
--          end
-- Cost     O(N)

local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local generation = string.match(all[i + 1], '^%S+ (%d+) ')
  if tonumber(generation) > tonumber(ARGV[3]) then
    return { '0' }
  end
end
local begun = ARGV[4]
local answer = { '1' }
local others = {}
for i = 1, #all, 2 do
  local hash, generation, since, seen = string.match(all[i + 1], '^(%S+) (%d+) (%d+) (%d+) ')
  if tonumber(generation) < tonumber(ARGV[3]) then
    answer[#answer + 1] = hash
  elseif all[i] == ARGV[1] then
    begun = since
    answer[1] = '0'
  else
    others[#others + 1] = { hash = hash, seen = tonumber(seen) }
  end
end
table.sort(others, function(one, other) return one.seen < other.seen end)
for i = 1, #others + 1 - ARGV[6] do
  answer[#answer + 1] = others[i].hash
end
redis.call('HSET', KEYS[1], ARGV[1], table.concat({ ARGV[2], ARGV[3], begun, ARGV[4], ARGV[5] }, ' '))
redis.call('EXPIRE', KEYS[1], ARGV[7])
return answer
