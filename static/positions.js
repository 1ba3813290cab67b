// Positions in the log of the site: `<ms>-<number>.<nonce>`.

/** The position after which the stream with this address begins. */
export function positionIn(address) {
  return new URL(address, location.href).searchParams.get("after") ?? "0-0";
}

/**
 * The address of the page with the replies after a position and a post. `first` is the address of another such page. It
 * ends in the time of a reply's commit, in base 36, and the reply's id.
 */
export function repliesAfter(first, position, id) {
  return first.replace(/\w+\.\w+$/, `${parseInt(position).toString(36)}.${id}`);
}

/** Whether one position is after the other one. */
export function isAfter(one, other) {
  const [oneMs, oneNumber] = numbers(one);
  const [otherMs, otherNumber] = numbers(other);
  return oneMs > otherMs || (oneMs === otherMs && oneNumber > otherNumber);
}

function numbers(position) {
  return position.split(/[-.]/, 2).map(Number);
}
