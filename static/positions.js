// Positions in the log of the site: `<ms>-<number>.<nonce>`.

/** Whether one position is after the other one. */
export function isAfter(one, other) {
  const [oneMs, oneNumber] = numbers(one);
  const [otherMs, otherNumber] = numbers(other);
  return oneMs > otherMs || (oneMs === otherMs && oneNumber > otherNumber);
}

function numbers(position) {
  return position.split(/[-.]/, 2).map(Number);
}
