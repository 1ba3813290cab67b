-- Finds pending entries that nobody works on: first those of dead consumers, then those that were left for later. Those
-- that are no longer in the stream are acknowledged, and their ids go to the dead-letter stream so that somebody sees
-- them. Redis 6.2 would hand such entries out forever, without content. Redis 7.0 and later forget them silently.
--
-- KEYS[1]  a stream
-- KEYS[2]  the dead-letter stream
-- KEYS[3]  index of the stream; only if KEYS[1] has tasks or postponed entries
-- ARGV[1]  consumer group
-- ARGV[2]  minimum time since anybody worked on the entry, in ms
-- ARGV[3]  most pending entries to check
-- ARGV[4]  most entries in the dead-letter stream, roughly
-- ARGV[5]  consumer of the entries that were left for later
-- ARGV[6]  where to begin among these
-- ARGV[7]  where to end among these. If none is left there, a new round begins. It ends at what is the newest entry now,
--          so that others cannot keep the oldest from being looked at
-- Returns  { where to begin the next time, where to end, then the ids of entries that are in the stream }
-- Cost     O(N)

local abandoned = {}
local room = tonumber(ARGV[3])

local function check(consumer, begin, last)
  local found = redis.call('XPENDING', KEYS[1], ARGV[1], 'IDLE', ARGV[2], begin, last, room, consumer)
  for _, pending in ipairs(found) do
    if #redis.call('XRANGE', KEYS[1], pending[1], pending[1]) == 1 then
      abandoned[#abandoned + 1] = pending[1]
    else
      redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', 'stream', KEYS[1], 'entry', pending[1], 'error',
        'it is not in the stream any more')
      redis.call('XACK', KEYS[1], ARGV[1], pending[1])
      if KEYS[3] then
        redis.call('ZREM', KEYS[3], pending[1])
      end
    end
  end
  room = room - #found
  return #found > 0 and '(' .. found[#found][1]
end

for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local info = {}
  for i = 1, #consumer, 2 do
    info[consumer[i]] = consumer[i + 1]
  end
  if room > 0 and info['pending'] > 0 and info['name'] ~= ARGV[5] then
    check(info['name'], '-', '+')
  end
end
local begin, last = ARGV[6], ARGV[7]
if room > 0 then
  local next_begin = check(ARGV[5], begin, last)
  if not next_begin then
    local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
    last = newest and newest[1] or '+'
    next_begin = check(ARGV[5], '-', last) or '-'
  end
  begin = next_begin
end
return { begin, last, unpack(abandoned) }
