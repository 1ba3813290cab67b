-- Removes posts from home timelines. A timeline that has dropped posts is complete from its oldest post on. If a post is
-- removed from it, its mark gets the time of that oldest post. If a timeline is being built, the removals are added to
-- its list of changes. Running it again changes nothing.
--
-- KEYS     three keys for each timeline: the timeline; its mark, see begin-timeline.lua; its changes since somebody
--          began to build it. On a cluster all of them are in one slot
-- ARGV[1]  most entries
-- ARGV[2]  how much longer than its timeline a mark lives, in seconds
-- ARGV[3]  post ids
-- Returns  {}
-- Cost     O(M log N)

local changes = {}
for i = 3, #ARGV do
  changes[#changes + 1] = '-' .. ARGV[i]
end
for i = 1, #KEYS, 3 do
  local oldest
  local there = redis.call('ZCARD', KEYS[i])
  if there == 0 then
    redis.call('RPUSHX', KEYS[i + 2], unpack(changes))
  elseif there >= tonumber(ARGV[1]) or string.match(redis.call('GET', KEYS[i + 1]) or '', '^%d+$') then
    oldest = redis.call('ZRANGE', KEYS[i], 0, 0, 'WITHSCORES')[2]
  end
  local life = redis.call('PTTL', KEYS[i])
  if redis.call('ZREM', KEYS[i], unpack(ARGV, 3)) > 0 and oldest then
    if life > 0 then
      redis.call('SET', KEYS[i + 1], '>' .. oldest, 'PX', life + 1000 * tonumber(ARGV[2]))
    else
      redis.call('SET', KEYS[i + 1], '>' .. oldest)
    end
  end
end
return {}
