#!/bin/sh
# Writes all data, as of one moment, to a file, while the site goes on: backup.sh FILE
# The lock nodes have nothing to keep. To be run in the directory of docker-compose.yml.
set -eu

. "$(dirname "$0")/compose"

# Redis sends it as it would to a new replica.
compose exec -T redis sh -c 'REDISCLI_AUTH=$REDIS_ADMIN_PASSWORD redis-cli --user admin --rdb -' > "$1.part"
[ "$(head -c 5 "$1.part")" = REDIS ] || {
	echo "$1.part is no backup: what Redis said is in it." >&2
	exit 1
}
mv "$1.part" "$1"
