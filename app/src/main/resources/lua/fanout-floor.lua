-- The position that fan-out is complete up to: everything before the oldest pending entry, else
-- everything that was delivered.
--
-- KEYS[1]  the commit log
-- ARGV[1]  consumer group of the workers
-- Returns  { entry id, nonce }, or {} when the log does not hold such an entry

local pending = redis.call('XPENDING', KEYS[1], ARGV[1])
local range
if pending[1] > 0 then
  range = '(' .. pending[2]
else
  for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
    local info = {}
    for i = 1, #group, 2 do
      info[group[i]] = group[i + 1]
    end
    if info['name'] == ARGV[1] then
      range = info['last-delivered-id']
    end
  end
end
if not range then
  return {}
end
local entry = redis.call('XREVRANGE', KEYS[1], range, '-', 'COUNT', 1)[1]
if not entry then
  return {}
end
for i = 1, #entry[2], 2 do
  if entry[2][i] == 'nonce' then
    return { entry[1], entry[2][i + 1] }
  end
end
return {}
