package live.retwis.account;

import live.retwis.web.Avatar;
import live.retwis.web.PersonView;
import org.jspecify.annotations.Nullable;

/**
 * The public data of a user.
 *
 * @param id user id
 * @param username as registered
 * @param name the name to show, in any script
 * @param bio what the user says about themselves; may be empty
 * @param avatar the picture
 * @param created when the user registered, ms since the epoch
 * @param newcomer the user as an item of a list that is sorted by registration time;
 * created once and shared
 */
public record User(String id, String username, String name, String bio, Avatar avatar, long created,
		PersonView newcomer) {

	/**
	 * A user.
	 * @param picture content hash of the uploaded picture; null for none
	 */
	static User of(String id, String username, String name, String bio, @Nullable String picture, long created) {
		Avatar avatar = Avatar.of(id, username, picture);
		return new User(id, username, name, bio, avatar, created, PersonView.of(username, name, avatar, created));
	}

	/** A user who has just registered with this name. */
	public static User fresh(String id, String username, String bio, long created) {
		return of(id, username, username, bio, null, created);
	}

	/** The name to show beside the username; empty when it is the same. */
	public String nameBeside() {
		return this.name.equals(this.username) ? "" : this.name;
	}

	/** The user as an item of a list that is sorted by this time. */
	public PersonView since(long moment) {
		return (moment == this.created) ? this.newcomer : PersonView.of(this.username, this.name, this.avatar, moment);
	}

}
