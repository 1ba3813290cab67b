package live.retwis.account;

import live.retwis.web.Person;

/**
 * What everyone may know of a user.
 *
 * @param id user id
 * @param username as registered
 * @param created when, ms since the epoch
 * @param newcomer the user in a list by registration, made once
 */
public record User(String id, String username, long created, Person newcomer) {

	/** A user of that name. */
	static User of(String id, String username, long created) {
		return new User(id, username, created, Person.of(username, created));
	}

	/** The user in a list that is sorted by that moment. */
	Person since(long moment) {
		return (moment == this.created) ? this.newcomer : Person.of(this.username, moment);
	}

}
