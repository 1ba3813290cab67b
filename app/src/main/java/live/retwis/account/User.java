package live.retwis.account;

import live.retwis.web.PersonView;

/**
 * The public data of a user.
 *
 * @param id user id
 * @param username as registered
 * @param name the name to show, in any script
 * @param bio what the user says about themselves; may be empty
 * @param created when the user registered, ms since the epoch
 * @param newcomer the user as an item of a list that is sorted by registration time;
 * created once and shared
 */
public record User(String id, String username, String name, String bio, long created, PersonView newcomer) {

	/** A user. */
	static User of(String id, String username, String name, String bio, long created) {
		return new User(id, username, name, bio, created, PersonView.of(username, created));
	}

	/** The user as an item of a list that is sorted by this time. */
	PersonView since(long moment) {
		return (moment == this.created) ? this.newcomer : PersonView.of(this.username, moment);
	}

}
