package live.retwis.timeline;

import java.util.Optional;

import live.retwis.account.User;
import live.retwis.follow.FollowRepository.Counts;
import live.retwis.follow.FollowRepository.Relation;
import live.retwis.web.Viewer;

/**
 * A user as a viewer sees them.
 *
 * @param user who
 * @param viewer who looks; empty when signed out
 * @param posts how many posts the user has
 * @param counts followers and followed
 * @param relation how the viewer stands to the user; empty when signed out or oneself
 */
record Profile(User user, Optional<Viewer> viewer, long posts, Counts counts, Optional<Relation> relation) {

	boolean isMe() {
		return this.viewer.map(Viewer::id).filter(this.user.id()::equals).isPresent();
	}

}
