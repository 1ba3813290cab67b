package live.retwis.limit;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * What is limited, and who is counted. Each has a setting of its name, in
 * {@link RateLimitProperties}.
 */
public enum RateLimit {

	/** New posts. */
	POSTS(Subject.USER, RateLimitProperties::posts),
	/** New posts and reposts of everybody at an address together. */
	ADDRESS_POSTS(Subject.ADDRESS, RateLimitProperties::addressPosts),
	/** Deleted posts. */
	DELETIONS(Subject.USER, RateLimitProperties::deletions),
	/** Follows and unfollows together. */
	FOLLOWS(Subject.USER, RateLimitProperties::follows),
	/** Likes, given and taken back. */
	LIKES(Subject.USER, RateLimitProperties::likes),
	/** Pages that ask what their reader has done to the posts on them. */
	REACTIONS(Subject.USER, RateLimitProperties::reactions),
	/** Bookmarks, set and removed. */
	BOOKMARKS(Subject.USER, RateLimitProperties::bookmarks),
	/** Reposts, made and taken back. */
	REPOSTS(Subject.USER, RateLimitProperties::reposts),
	/** Reports of posts. */
	REPORTS(Subject.USER, RateLimitProperties::reports),
	/** Users muted and blocked, and the contrary. */
	RESTRICTIONS(Subject.USER, RateLimitProperties::restrictions),
	/** Changes of the profile. */
	PROFILE(Subject.USER, RateLimitProperties::profile),
	/** Pictures that are uploaded. */
	UPLOADS(Subject.USER, RateLimitProperties::uploads),
	/**
	 * Sessions, the password, and the account as a whole. Whoever has stolen a session
	 * could use up a count of the user, who then could not end that session.
	 */
	ACCOUNT(Subject.USER_AT_ADDRESS, RateLimitProperties::account),
	/** Downloads of one's own data. */
	EXPORTS(Subject.USER, RateLimitProperties::exports),
	/** Searches. */
	SEARCHES(Subject.USER, RateLimitProperties::searches),
	/**
	 * Pages of a home timeline that are read from the lists of all authors. Where there
	 * is an archive, also older pages of profiles and tags.
	 */
	OLDER_PAGES(Subject.USER, RateLimitProperties::olderPages),
	/** Profiles seen by a viewer with many follows, all of which are compared. */
	RELATIONS(Subject.USER, RateLimitProperties::relations),
	/** The lab's forms. */
	LAB(Subject.USER, RateLimitProperties::lab),
	/** What is broken on purpose, and questions about it. */
	BREAKS(Subject.USER, RateLimitProperties::breaks),
	/** Experiments of the chapters. */
	LEARN(Subject.USER, RateLimitProperties::learn),
	/** Stored runs of the lab, as page, report and JSON, and lessons. */
	LAB_RUNS(Subject.ADDRESS, RateLimitProperties::labRuns),
	/** Pages of X-ray, which look into keys. */
	XRAY(Subject.USER, RateLimitProperties::xray),
	/** Forms to register. */
	REGISTRATIONS(Subject.ADDRESS, RateLimitProperties::registrations),
	/**
	 * Searches, old pages, and profiles compared with many follows, of everybody at an
	 * address together.
	 */
	ADDRESS_READS(Subject.ADDRESS, RateLimitProperties::addressReads),
	/**
	 * Deletions, follows, likes, bookmarks, mutes and blocks of everybody at an address
	 * together.
	 */
	ADDRESS_WRITES(Subject.ADDRESS, RateLimitProperties::addressWrites),
	/** Reports of everybody at an address together. */
	ADDRESS_REPORTS(Subject.ADDRESS, RateLimitProperties::addressReports),
	/**
	 * Changes of profiles of everybody at an address together. Every open stream is told
	 * of each, and every instance looks through all posts in its cache.
	 */
	ADDRESS_PROFILES(Subject.ADDRESS, RateLimitProperties::addressProfiles),
	/** Experiments of everybody at an address together. */
	ADDRESS_WORK(Subject.ADDRESS, RateLimitProperties::addressWork),
	/** Streams that are opened, also those that are closed at once. */
	STREAMS(Subject.ADDRESS, RateLimitProperties::streams),
	/** Log-ins, right or wrong. */
	LOGINS(Subject.ADDRESS, RateLimitProperties::logins),
	/** Wrong passwords, wherever they come from. */
	WRONG_PASSWORDS(Subject.NAME, RateLimitProperties::wrongPasswords),
	/**
	 * Wrong passwords from one address. These are fewer, so that nobody uses up the count
	 * of a name alone, and its owner can still log in.
	 */
	WRONG_PASSWORDS_BY_ADDRESS(Subject.NAME_AT_ADDRESS, RateLimitProperties::wrongPasswordsByAddress);

	private final Subject subject;

	private final Function<RateLimitProperties, RateLimitSpec> setting;

	RateLimit(Subject subject, Function<RateLimitProperties, RateLimitSpec> setting) {
		this.subject = subject;
		this.setting = setting;
	}

	/** Who is counted. */
	public Subject subject() {
		return this.subject;
	}

	/** What is counted as well, unless this is refused; empty for nothing. */
	public Optional<RateLimit> beside() {
		return switch (this) {
			case POSTS, REPOSTS -> Optional.of(ADDRESS_POSTS);
			case SEARCHES, OLDER_PAGES, RELATIONS -> Optional.of(ADDRESS_READS);
			case DELETIONS, FOLLOWS, LIKES, BOOKMARKS, RESTRICTIONS -> Optional.of(ADDRESS_WRITES);
			case REPORTS -> Optional.of(ADDRESS_REPORTS);
			case PROFILE -> Optional.of(ADDRESS_PROFILES);
			case LEARN -> Optional.of(ADDRESS_WORK);
			default -> Optional.empty();
		};
	}

	RateLimitSpec rates(RateLimitProperties properties) {
		return this.setting.apply(properties);
	}

	/** The name in settings, keys and metrics. */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** Who is counted. */
	public enum Subject {

		/** The user; the address where nobody is logged in. */
		USER,
		/**
		 * The user together with the client's address; the address where nobody is logged
		 * in. Who has stolen a session and comes from another address counts apart from
		 * its owner. The session itself is not counted, because some of these forms begin
		 * a new one.
		 */
		USER_AT_ADDRESS,
		/** The client's address, whoever is logged in. */
		ADDRESS,
		/** The username that somebody claims. */
		NAME,
		/** The same together with the client's address. */
		NAME_AT_ADDRESS;

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT).replace('_', ' ');
		}

	}

}
