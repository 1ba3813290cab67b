-- Looks at a key without its content.
--
-- KEYS[1]  the key
-- Returns  { type, encoding, number of elements, or of bytes in a string, bytes in memory, ms to live or -1 }; {} when
--          there is no such key
-- Cost     O(1)

local type = redis.call('TYPE', KEYS[1]).ok
local elements
if type == 'zset' then
  elements = redis.call('ZCARD', KEYS[1])
elseif type == 'hash' then
  elements = redis.call('HLEN', KEYS[1])
elseif type == 'stream' then
  elements = redis.call('XLEN', KEYS[1])
elseif type == 'list' then
  elements = redis.call('LLEN', KEYS[1])
elseif type == 'string' then
  elements = redis.call('STRLEN', KEYS[1])
else
  return {}
end
return { type, redis.call('OBJECT', 'ENCODING', KEYS[1]), tostring(elements),
  tostring(redis.call('MEMORY', 'USAGE', KEYS[1])), tostring(redis.call('PTTL', KEYS[1])) }
