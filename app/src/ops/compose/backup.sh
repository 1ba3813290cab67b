#!/bin/sh
# Writes all data to FILE and FILE.archive, while the site goes on: backup.sh FILE
# The lock nodes have nothing to keep. To be run in the directory of docker-compose.yml.
#
# Redis comes first. A post that moves to the archive between the two is in both files. The other way round it would be
# in none.
set -eu

. "$(dirname "$0")/compose"
demand_one_data_node

# Redis sends it as it would to a new replica.
compose exec -T redis sh -c 'REDISCLI_AUTH=$REDIS_ADMIN_PASSWORD redis-cli --user admin --rdb -' > "$1.part"
[ "$(head -c 5 "$1.part")" = REDIS ] || {
	echo "$1.part is no backup: what Redis said is in it." >&2
	exit 1
}

compose exec -T archive sh -c 'PGPASSWORD=$ARCHIVE_PASSWORD pg_dump -h 127.0.0.1 -U retwis -Fc retwis' > "$1.archive.part"
[ "$(head -c 5 "$1.archive.part")" = PGDMP ] || {
	echo "$1.archive.part is no backup: what PostgreSQL said is in it." >&2
	exit 1
}
mv "$1.part" "$1"
mv "$1.archive.part" "$1.archive"
