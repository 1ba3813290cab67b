package live.retwis.account;

/**
 * What everyone may know of a user.
 *
 * @param id user id
 * @param username as registered
 * @param created when, ms since the epoch
 */
public record User(String id, String username, long created) {
}
