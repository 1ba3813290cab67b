package live.retwis.account;

/**
 * The data that a log-in is checked against.
 *
 * @param userId user id
 * @param password encoded password
 * @param generation auth generation, read together with the password
 * @param suspended whether the user is suspended
 */
record StoredCredentials(String userId, String password, String generation, boolean suspended) {
}
