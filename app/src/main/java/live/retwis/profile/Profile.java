package live.retwis.profile;

import java.util.List;
import java.util.Optional;

import live.retwis.account.User;
import live.retwis.follow.FollowRepository.Counts;
import live.retwis.follow.FollowRepository.Relation;
import live.retwis.timeline.AuthorPostCount;

/**
 * What a profile shows beside the posts.
 *
 * @param user the user whose profile it is
 * @param posts number of the user's posts
 * @param counts numbers of followers and of followed users
 * @param friends names of a few users whom the viewer follows and who follow this user
 * @param relation how the user whom the cookie names is related to this one; empty on
 * one's own profile, or without a cookie
 */
record Profile(User user, AuthorPostCount posts, Counts counts, List<String> friends, Optional<Relation> relation) {
}
