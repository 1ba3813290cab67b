package live.retwis.locks.lab.report;

/**
 * What a whole round showed, in one language. It is stored with a round that was
 * shortened, because what is left of its history would tell something else.
 *
 * @param result what it showed
 * @param brief the same without times, for summaries
 */
public record RoundVerdictText(String result, String brief) {
}
