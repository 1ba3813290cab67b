package live.retwis.account;

import live.retwis.web.PersonView;

/**
 * A user in a list, for programs.
 *
 * @param username as registered
 * @param name the name to show
 */
public record PersonJson(String username, String name) {

	public static PersonJson of(ListedPerson person) {
		PersonView user = person.person();
		return new PersonJson(user.username(), (user.name() != null) ? user.name() : user.username());
	}

}
