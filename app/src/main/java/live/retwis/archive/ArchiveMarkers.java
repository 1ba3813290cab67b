package live.retwis.archive;

import java.util.List;
import java.util.OptionalLong;

import live.retwis.redis.Cursor;

/**
 * How a list of an author's posts says that its older posts are in the archive. Such a
 * list has two members that are no ids. {@link #MARK} has the commit time of the newest
 * archived post as its score, so a reader who goes beyond the posts in Redis comes upon
 * it without another command. {@link #COUNT} has the number of archived posts as its
 * score. Both sort before the posts, also before one of the same millisecond.
 */
public final class ArchiveMarkers {

	/** The member whose score is the ms of the newest archived post. */
	public static final String MARK = "+";

	/** The member whose score is the number of archived posts. */
	public static final String COUNT = "#";

	private ArchiveMarkers() {
	}

	/**
	 * Whether a member of a list is not a post, but says that older ones are archived.
	 */
	public static boolean isMarker(String member) {
		return member.equals(MARK) || member.equals(COUNT);
	}

	/**
	 * The ms of the newest archived post, if these places reach down to the boundary. It
	 * is the largest number when the places begin below {@link #MARK}.
	 */
	public static OptionalLong in(List<Cursor> places) {
		for (Cursor place : places) {
			if (isMarker(place.member())) {
				return OptionalLong.of(place.member().equals(MARK) ? place.score() : Long.MAX_VALUE);
			}
		}
		return OptionalLong.empty();
	}

	/** The posts among the places. */
	public static List<Cursor> posts(List<Cursor> places) {
		return in(places).isEmpty() ? places : places.stream().filter((place) -> !isMarker(place.member())).toList();
	}

}
