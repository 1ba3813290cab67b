package live.retwis.cluster;

/**
 * A part is in another state or has another role than before.
 *
 * @param at ms since the epoch
 * @param part its name
 * @param state its state since then
 * @param master whether it is a data master since then
 */
public record PartChange(long at, String part, PartState state, boolean master) {
}
