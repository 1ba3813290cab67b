package live.retwis.timeline;

import java.util.List;
import java.util.Optional;

import live.retwis.account.User;
import live.retwis.follow.FollowRepository.Counts;
import live.retwis.follow.FollowRepository.Relation;
import live.retwis.web.Viewer;

/**
 * What a profile shows beside the posts.
 *
 * @param user the user whose profile it is
 * @param viewer the user who looks at it; empty when signed out
 * @param posts number of the user's posts
 * @param counts numbers of followers and of followed users
 * @param friends names of the first of those who follow the user and whom the viewer
 * follows
 * @param relation how the two are related; empty when signed out, or on one's own profile
 */
record Profile(User user, Optional<Viewer> viewer, long posts, Counts counts, List<String> friends,
		Optional<Relation> relation) {

	boolean isMe() {
		return this.viewer.map(Viewer::id).filter(this.user.id()::equals).isPresent();
	}

}
