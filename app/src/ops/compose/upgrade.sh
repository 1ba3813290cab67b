#!/bin/sh
# Puts a new image in the place of the old one, and nobody notices: starts as many new instances beside the old ones, and
# when all the new ones are well asks the old ones to end, one after the other. If the new ones do not become well, or
# the script is broken off before they are, they go again. To be run in the directory of docker-compose.yml, with
# COMPOSE_FILE set as at the start where overrides are in use:
#
#   mvn package -DskipTests
#   app/src/ops/compose/upgrade.sh
set -eu

. "$(dirname "$0")/compose"

scale() {
	compose up -d --no-deps --no-recreate --scale "app=$1" app
}

new() {
	compose ps -aq app | grep -vxF "$known"
}

well() {
	docker inspect --format '{{.State.Health.Status}}' $(new) | grep -cx healthy
}

# The old image gets its name back, because a later start of an instance takes the image of that name.
undo() {
	set +e
	for instance in $(new); do
		docker logs --tail 30 "$instance" >&2
		docker rm --force "$instance" > /dev/null
	done
	docker tag "$image" retwis-live
	scale "$count" &&
		echo "The new instances are gone again, and the old ones serve as before. Above is the end of the new ones' logs." >&2
}

old=$(compose ps -q app)
known=$(compose ps -aq app)
count=$(echo "$old" | wc -w)
image=$(docker inspect --format '{{.Image}}' $old | head -n 1)
compose build app

trap undo EXIT
trap 'exit 1' HUP INT TERM
scale $((2 * count))
tries=60
until [ "$(well)" -eq "$count" ]; do
	tries=$((tries - 1))
	if [ "$tries" = 0 ]; then
		echo "The new instances do not become well." >&2
		exit 1
	fi
	sleep 2
done
trap - EXIT HUP INT TERM

for instance in $old; do
	docker stop --time 60 "$instance" > /dev/null
	docker rm "$instance" > /dev/null
done
scale "$count"
