package live.retwis.account;

import live.retwis.i18n.Localized;
import live.retwis.web.PersonView;

/**
 * A user in a list with Follow buttons.
 *
 * @param id user id
 * @param person the name, and the time by which the list is sorted
 * @param followerCount how many followers the user has
 * @param followers the follower count as text
 * @param canFollow whether there is a button to follow
 * @param canUnfollow whether there is a button to unfollow
 */
public record ListedPerson(String id, PersonView person, long followerCount, Localized followers, boolean canFollow,
		boolean canUnfollow) {

	/** The same user with a button. */
	public ListedPerson with(boolean followed) {
		return new ListedPerson(this.id, this.person, this.followerCount, this.followers, !followed, followed);
	}

}
