package live.retwis.web;

/**
 * Who looks at a page, signed in.
 *
 * @param id user id
 * @param username as registered
 */
public record Viewer(String id, String username) {
}
