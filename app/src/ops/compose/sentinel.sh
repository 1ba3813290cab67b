#!/bin/sh
# Starts a data node that Sentinel looks after, or a sentinel: sentinel.sh data|sentinel
#
# Who is the master changes, and Redis writes that into its own file in /data. Only at the first start it is made here:
# then `redis` is the master. Each start takes the site's rights from data.acl. Nobody can be `default`, which keeps its
# rights: see redis.sh.
set -eu
umask 077

name=$HOSTNAME
file=/data/$1.conf

if [ "$1" = data ] && [ ! -f "$file" ]; then
	cat > "$file" <<-EOF
		appendonly yes
		appendfsync everysec
		save ""
		maxmemory 768mb
		maxmemory-policy noeviction
		replica-announce-ip $name
		user default off ~* &* +@all
		user replica on >$REDIS_ADMIN_PASSWORD +psync +replconf +ping
		user sentinel on >$REDIS_ADMIN_PASSWORD &* +multi +slaveof +ping +exec +subscribe +config|rewrite +role +publish +info +client|setname +client|kill +script|kill
		user admin on >$REDIS_ADMIN_PASSWORD ~* &* +@all
		masteruser replica
		masterauth $REDIS_ADMIN_PASSWORD
	EOF
	[ "$name" = redis ] || echo "replicaof redis 6379" >> "$file"
fi

if [ "$1" = sentinel ] && [ ! -f "$file" ]; then
	cat > "$file" <<-EOF
		requirepass $REDIS_PASSWORD
		sentinel sentinel-pass $REDIS_PASSWORD
		sentinel resolve-hostnames yes
		sentinel announce-hostnames yes
		sentinel announce-ip $name
		sentinel monitor retwis redis 6379 2
		sentinel auth-user retwis sentinel
		sentinel auth-pass retwis $REDIS_ADMIN_PASSWORD
		sentinel down-after-milliseconds retwis 3000
		sentinel failover-timeout retwis 10000
	EOF
fi

if [ "$1" = sentinel ]; then
	exec redis-sentinel "$file"
fi
grep -v '^user retwis ' "$file" > "$file.new"
echo "user retwis on >$REDIS_PASSWORD $(cat /etc/retwis/data.acl)" >> "$file.new"
mv "$file.new" "$file"
exec redis-server "$file"
