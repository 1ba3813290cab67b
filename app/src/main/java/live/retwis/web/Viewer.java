package live.retwis.web;

/**
 * The signed-in user who looks at a page.
 *
 * @param id user id
 * @param username as registered
 */
public record Viewer(String id, String username) {
}
