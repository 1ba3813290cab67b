package live.retwis.live;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which streams want an author's posts: four bytes for each follow of each stream, and
 * some room. A stream that is over stays in the lists until they are next looked through,
 * so that one with thousands of authors closes as fast as any; when half of all places
 * are of such streams, all lists are cleaned.
 */
class AuthorIndex {

	/** Fewer stale places than this are not worth cleaning. */
	private static final int FEW = 1024;

	private final Map<String, ArrayList<Subscriber>> streams = new HashMap<>();

	private int places;

	private int stale;

	/** The streams that are told of an author's posts, those that are over left out. */
	List<Subscriber> of(String author) {
		ArrayList<Subscriber> wanting = this.streams.get(author);
		if (wanting == null) {
			return List.of();
		}
		clean(wanting);
		if (wanting.isEmpty()) {
			this.streams.remove(author);
		}
		return wanting;
	}

	private void clean(ArrayList<Subscriber> wanting) {
		int before = wanting.size();
		wanting.removeIf(Subscriber::isOver);
		this.places -= before - wanting.size();
		this.stale -= before - wanting.size();
	}

	/** A stream that opens wants all of them. */
	void addAll(Collection<String> authors, Subscriber stream) {
		authors.forEach((author) -> list(author).add(stream));
		this.places += authors.size();
	}

	/**
	 * A stream wants one more.
	 * @return false when it did so before
	 */
	boolean add(String author, Subscriber stream) {
		ArrayList<Subscriber> wanting = list(author);
		if (wanting.contains(stream)) {
			return false;
		}
		this.places++;
		return wanting.add(stream);
	}

	private ArrayList<Subscriber> list(String author) {
		return this.streams.computeIfAbsent(author, (missing) -> new ArrayList<>(1));
	}

	/**
	 * A stream wants one less.
	 * @return false when it did not want it
	 */
	boolean remove(String author, Subscriber stream) {
		ArrayList<Subscriber> wanting = this.streams.get(author);
		if (wanting == null || !wanting.remove(stream)) {
			return false;
		}
		this.places--;
		return true;
	}

	/** A stream that is over had so many. */
	void forget(int authors) {
		this.stale += authors;
		if (this.stale > FEW && this.stale > this.places / 2) {
			this.streams.values().forEach(this::clean);
			this.streams.values().removeIf(List::isEmpty);
		}
	}

	/** Places in all lists, the stale ones included. */
	int places() {
		return this.places;
	}

}
