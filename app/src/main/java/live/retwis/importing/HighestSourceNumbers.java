package live.retwis.importing;

/**
 * The last numbers that the PHP Retwis had given before anything was read. What it adds
 * later may be missed, because SCAN need not return it.
 *
 * @param users the number of the newest user; {@link Long#MAX_VALUE} when it is not known
 * @param posts the number of the newest post; the same
 */
record HighestSourceNumbers(long users, long posts) {
}
