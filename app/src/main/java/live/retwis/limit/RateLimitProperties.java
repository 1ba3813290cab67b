package live.retwis.limit;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the rate limits. {@code 10/1m,200/1h} means ten in a minute and 200 in an
 * hour.
 *
 * @param enabled whether there are limits
 * @param timeout how long a request waits to be counted in Redis before this instance
 * counts it for itself
 * @param posts posts of a user
 * @param addressPosts posts and reposts of everybody at one address together
 * @param addressReads searches, old pages, and profiles compared with many follows, of
 * everybody at one address together
 * @param addressWrites deletions, follows, likes, bookmarks, mutes and blocks, and what
 * takes them back, of everybody at one address together
 * @param addressReports reports of everybody at one address together
 * @param addressProfiles changes of profiles of everybody at one address together
 * @param addressWork experiments of everybody at one address together
 * @param streams streams that an address opens
 * @param deletions posts that a user deletes
 * @param follows how often a user follows and unfollows
 * @param likes how often a user likes posts and takes that back
 * @param reactions how often the pages of a user ask which of their posts the user has
 * liked, reposted and kept. Each page asks when it is opened, and again for new posts
 * @param bookmarks how often a user keeps posts and lets go of them
 * @param reposts how often a user reposts and takes that back
 * @param reports posts that a user reports
 * @param restrictions how often a user mutes and blocks others, and takes that back
 * @param profile changes of a user's profile
 * @param uploads pictures that a user uploads
 * @param account log-outs and sessions ended by a user from one address, and attempts to
 * change the password or to delete the account
 * @param exports downloads of a user's data
 * @param searches searches of a user, or of an address where nobody is logged in, lists
 * of those among the follows who follow somebody, somebody's posts of this day in former
 * years, and lists of who likes or reposts a post; the page of the search without words
 * does not count
 * @param olderPages pages past the end of a home timeline, which are read from the lists
 * of everybody whom the user follows. Where there is an archive, also older pages of
 * profiles and tags, of a user, or of an address where nobody is logged in
 * @param relations profiles that a user opens who follows many others, with whom of these
 * follow the user of the profile, too
 * @param lab what a user does in the lab
 * @param breaks what a user breaks on a site that may be broken, and asks about it
 * @param learn experiments of the chapters that a user has played
 * @param labRuns stored runs of the lab, and lessons of its course, that an address asks
 * for
 * @param xray looks of a user into keys with X-ray, or of an address where nobody is
 * logged in, and pages with their commands
 * @param registrations forms to register from an address
 * @param logins log-ins from an address, with right and wrong passwords
 * @param wrongPasswords wrong passwords for one username. A browser in which the user was
 * logged in before counts for itself, and so do all sessions of the user together
 * @param wrongPasswordsByAddress wrong passwords for one username from one address
 */
@ConfigurationProperties("retwis.limits")
record RateLimitProperties(@DefaultValue("true") boolean enabled, @DefaultValue("100ms") Duration timeout,
		@DefaultValue("10/1m,200/1h,1000/1d") RateLimitSpec posts,
		@DefaultValue("300/1m,2000/1h") RateLimitSpec addressPosts, @DefaultValue("300/1m") RateLimitSpec addressReads,
		@DefaultValue("600/1m,6000/1h") RateLimitSpec addressWrites,
		@DefaultValue("60/1m,300/1h") RateLimitSpec addressReports,
		@DefaultValue("20/1m,200/1h") RateLimitSpec addressProfiles,
		@DefaultValue("120/1m,2000/1h") RateLimitSpec addressWork, @DefaultValue("600/1m") RateLimitSpec streams,
		@DefaultValue("60/1m") RateLimitSpec deletions, @DefaultValue("30/1m,600/1h") RateLimitSpec follows,
		@DefaultValue("60/1m,1000/1h") RateLimitSpec likes, @DefaultValue("600/1m") RateLimitSpec reactions,
		@DefaultValue("60/1m,1000/1h") RateLimitSpec bookmarks,
		@DefaultValue("20/1m,300/1h,1000/1d") RateLimitSpec reposts, @DefaultValue("5/1m,30/1h") RateLimitSpec reports,
		@DefaultValue("30/1m,300/1h") RateLimitSpec restrictions, @DefaultValue("10/1m,60/1h") RateLimitSpec profile,
		@DefaultValue("5/1m,20/1h") RateLimitSpec uploads, @DefaultValue("20/1m") RateLimitSpec account,
		@DefaultValue("3/1m,20/1h") RateLimitSpec exports, @DefaultValue("60/1m") RateLimitSpec searches,
		@DefaultValue("60/1m") RateLimitSpec olderPages, @DefaultValue("60/1m") RateLimitSpec relations,
		@DefaultValue("120/1m") RateLimitSpec lab, @DefaultValue("60/1m") RateLimitSpec breaks,
		@DefaultValue("20/1m,200/1h") RateLimitSpec learn, @DefaultValue("60/1m") RateLimitSpec labRuns,
		@DefaultValue("120/1m") RateLimitSpec xray, @DefaultValue("5/1m,30/1h") RateLimitSpec registrations,
		@DefaultValue("20/1m") RateLimitSpec logins, @DefaultValue("5/1m,20/1h,60/1d") RateLimitSpec wrongPasswords,
		@DefaultValue("5/1m,10/1h,20/1d") RateLimitSpec wrongPasswordsByAddress) {
}
