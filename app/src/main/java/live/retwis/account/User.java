package live.retwis.account;

import live.retwis.web.PersonView;

/**
 * What everyone may know of a user.
 *
 * @param id user id
 * @param username as registered
 * @param created when, ms since the epoch
 * @param newcomer the user in a list by registration, made once
 */
public record User(String id, String username, long created, PersonView newcomer) {

	/** A user of that name. */
	static User of(String id, String username, long created) {
		return new User(id, username, created, PersonView.of(username, created));
	}

	/** The user in a list that is sorted by that moment. */
	PersonView since(long moment) {
		return (moment == this.created) ? this.newcomer : PersonView.of(this.username, moment);
	}

}
