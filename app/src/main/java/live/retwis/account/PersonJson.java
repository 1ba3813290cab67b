package live.retwis.account;

import live.retwis.web.PersonView;
import org.jspecify.annotations.Nullable;

/**
 * A user in a list, for programs.
 *
 * @param username as registered
 * @param name the name to show
 * @param followers how many followers the user has
 * @param followed whether the viewer follows the user; null when signed out, and for the
 * viewer
 */
public record PersonJson(String username, String name, long followers, @Nullable Boolean followed) {

	public static PersonJson of(ListedPerson person) {
		PersonView user = person.person();
		return new PersonJson(user.username(), (user.name() != null) ? user.name() : user.username(),
				person.followerCount(), (person.canFollow() || person.canUnfollow()) ? person.canUnfollow() : null);
	}

}
