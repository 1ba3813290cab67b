package live.retwis.post;

import live.retwis.account.User;
import live.retwis.web.Avatar;

/**
 * What the article of a post shows of its author, beside the username.
 *
 * @param name the name to show; empty when it is the username
 * @param avatar the picture
 */
record AuthorView(String name, Avatar avatar) {

	static AuthorView of(User user) {
		return new AuthorView(user.nameBeside(), user.avatar());
	}

	/** The author of a post when nothing else is known of them. */
	static AuthorView unknown(Post post) {
		return new AuthorView("", Avatar.of(post.authorId(), post.author()));
	}

}
