package live.retwis.account;

import live.retwis.web.Viewer;

/**
 * A session that is good now.
 *
 * @param viewer who is signed in
 * @param generation auth generation that it was made under
 * @param tokenHash names its key
 */
public record Session(Viewer viewer, String generation, String tokenHash) {
}
