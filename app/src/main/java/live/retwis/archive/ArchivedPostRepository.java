package live.retwis.archive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.r2dbc.spi.Readable;
import live.retwis.redis.Cursor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/**
 * Posts in the archive: the table {@code posts}. Places are by commit, as in Redis, and
 * pages begin after a place, so a page deep in a list costs no more than the first one.
 */
@Repository
public class ArchivedPostRepository {

	/** The fields of {@code post:{id}} that are texts, and those that are numbers. */
	static final List<String> TEXTS = List.of("username", "body", "reply_to", "reply_username", "repost_of");

	static final List<String> NUMBERS = List.of("created", "replies", "likes", "reposts");

	static final String COLUMNS = "id, author, committed, pulled, " + String.join(", ", TEXTS) + ", "
			+ String.join(", ", NUMBERS);

	/**
	 * Places that are read first at once. Of each author there are {@link #FEW} or more.
	 */
	private static final int AT_ONCE = 1000;

	private static final int FEW = 4;

	/** Posts that a search goes through by time before it looks its words up. */
	private static final int MOST_BY_TIME = 20_000;

	/** Posts of which counts are forgotten at once. */
	private static final int CHANGED_AT_ONCE = 5_000;

	private static final String EARLIEST = "select committed, id from posts where author = :author "
			+ "and committed >= :millis and (committed, id) > (:millis, :id) order by committed, id limit :count";

	/** The only condition for which there is an index of pulled posts. */
	private static final String ONLY_PULLED = " and pulled";

	private final ArchiveDatabase database;

	private final SharedArchivedPostCache cache;

	/** Whether the indexes by time were there. */
	private volatile boolean sortedByTime;

	ArchivedPostRepository(ArchiveDatabase database, SharedArchivedPostCache cache) {
		this.database = database;
		this.cache = cache;
	}

	/** Whether there is an archive. */
	public boolean isUsed() {
		return this.database.isUsed();
	}

	/**
	 * Stores posts. A post that is there is replaced.
	 * @param deadline ms of the {@linkplain ArchiveDatabase#clock database's clock},
	 * after which nothing is stored
	 */
	Mono<Void> save(Collection<ArchivedPost> posts, long deadline) {
		return posts.isEmpty() ? Mono.empty()
				: this.database
					.inBackground((client) -> this.database.isPostgres() ? saveAtOnce(client, posts, deadline)
							: saveOneByOne(client, posts, deadline))
					.then(Mono.defer(this.database::sync))
					.then(Mono.defer(() -> this.cache.forget(posts.stream().map(ArchivedPost::id).toList())));
	}

	/** The tags come first. So no post is stored in time, and its tags too late. */
	private static Mono<Void> saveAtOnce(DatabaseClient client, Collection<ArchivedPost> posts, long deadline) {
		return client.inConnection((connection) -> ArchivedTagsInsert.atOnce(connection, posts, deadline)
			.thenMany(ArchivedPostsInsert.atOnce(connection, posts, deadline))
			.thenMany(ArchivedPostsInsert.removeYoungWords(connection, posts))
			.then());
	}

	private static Mono<Void> saveOneByOne(DatabaseClient client, Collection<ArchivedPost> posts, long deadline) {
		return ArchiveDatabase
			.inTransaction(client, deadline,
					(connection) -> ArchivedPostsInsert.oneByOne(connection, posts)
						.thenMany(ArchivedTagsInsert.oneByOne(connection, posts)))
			.then();
	}

	/** The posts that are there, by id, from the cache or from the database. */
	Mono<Map<String, ArchivedPost>> findCached(Collection<String> ids) {
		return this.cache.findAll(ids, this::findAll);
	}

	/** The posts that are in the database, by id. */
	public Mono<Map<String, ArchivedPost>> findAll(Collection<String> ids) {
		return this.database.read((client) -> find(client, ids));
	}

	/** The same without the short time-out of pages. */
	Mono<Map<String, ArchivedPost>> readBack(Collection<String> ids) {
		return ids.isEmpty() ? Mono.just(Map.of()) : this.database.inBackground((client) -> find(client, ids));
	}

	private static Mono<Map<String, ArchivedPost>> find(DatabaseClient client, Collection<String> ids) {
		return client.sql("select " + COLUMNS + " from posts where id in (:ids)")
			.bind("ids", ids)
			.map(ArchivedPostRepository::post)
			.all()
			.collectMap(ArchivedPost::id);
	}

	private static ArchivedPost post(Readable row) {
		Map<String, String> fields = new HashMap<>();
		put(fields, "author", row.get("author", String.class));
		TEXTS.forEach((name) -> put(fields, name, row.get(name, String.class)));
		NUMBERS.forEach((name) -> put(fields, name, row.get(name, Long.class)));
		return new ArchivedPost(text(row, "id"), number(row, "committed"),
				Boolean.TRUE.equals(row.get("pulled", Boolean.class)), fields);
	}

	private static void put(Map<String, String> fields, String name, @Nullable Object value) {
		if (value != null) {
			fields.put(name, value.toString());
		}
	}

	private static String text(Readable row, String name) {
		return String.valueOf(row.get(name, String.class));
	}

	private static long number(Readable row, String name) {
		Long value = row.get(name, Long.class);
		return (value != null) ? value : 0;
	}

	static Cursor place(Readable row) {
		return new Cursor(number(row, "committed"), text(row, "id"));
	}

	/**
	 * The latest places of each author before a place of its own, by author. Of many
	 * authors a few places each are read first, and more only of those whose few may all
	 * be among the newest of all. One statement on PostgreSQL; on H2, which runs in this
	 * process, one or two for each author.
	 * @param before for each author the place after which to begin
	 * @param count how many of the newest places of all authors are wanted
	 * @param pulled whether only posts count that readers pull
	 */
	public Mono<Map<String, ArchivedPostCursors>> latest(Map<String, Cursor> before, int count, boolean pulled) {
		if (before.isEmpty()) {
			return Mono.just(Map.of());
		}
		int few = Math.min(count, Math.max(FEW, AT_ONCE / before.size()));
		return this.database.read((client) -> this.database.isPostgres() ? inOne(client, before, few, count, pulled)
				: oneByOne(client, before, few, pulled).flatMap((some) -> (few == count) ? Mono.just(some)
						: oneByOne(client, ArchivedPostCursors.unfinished(some, before, count), count, pulled)
							.map((more) -> {
								Map<String, ArchivedPostCursors> all = new HashMap<>(some);
								all.putAll(more);
								return all;
							})));
	}

	private static Mono<Map<String, ArchivedPostCursors>> oneByOne(DatabaseClient client, Map<String, Cursor> before,
			int count, boolean pulled) {
		return Flux.fromIterable(before.entrySet())
			.concatMap((one) -> latest(client, one.getKey(), one.getValue(), count, pulled)
				.map((places) -> Map.entry(one.getKey(), new ArchivedPostCursors(places, places.size() < count))))
			.collectMap(Map.Entry::getKey, Map.Entry::getValue);
	}

	private static Mono<Map<String, ArchivedPostCursors>> inOne(DatabaseClient client, Map<String, Cursor> before,
			int few, int count, boolean pulled) {
		List<String> authors = new ArrayList<>();
		List<Long> millis = new ArrayList<>();
		List<String> ids = new ArrayList<>();
		before.forEach((author, place) -> {
			authors.add(author);
			millis.add(place.score());
			ids.add(place.member());
		});
		String latest = "(select author, committed, id from posts "
				+ "where author = asked.author and (committed, id) < (asked.committed, asked.id)"
				+ (pulled ? ONLY_PULLED : "") + " order by committed desc, id desc limit ";
		return client
			.sql("with asked as (select * from unnest(:authors, :millis, :ids) as asked (author, committed, id)), "
					+ "few as (select latest.* from asked cross join lateral " + latest + ":few) as latest), "
					+ "last as (select min(committed) as committed from (select committed from few "
					+ "order by committed desc, id desc limit :count) as newest having count(*) = :count), "
					+ "unfinished as (select author from few group by author "
					+ "having count(*) = :few and min(committed) >= coalesce((select committed from last), 0)) "
					+ "select author, committed, id, :few as most from few "
					+ "where author not in (select author from unfinished) "
					+ "union all select latest.*, :count from asked cross join lateral " + latest
					+ ":count) as latest where asked.author in (select author from unfinished) "
					+ "order by committed desc, id desc")
			.bind("authors", authors.toArray(String[]::new))
			.bind("millis", millis.toArray(Long[]::new))
			.bind("ids", ids.toArray(String[]::new))
			.bind("few", few)
			.bind("count", count)
			.map((row) -> new ArchivedPostCursors.Row(text(row, "author"), place(row), number(row, "most")))
			.all()
			.collect(Collectors.groupingBy(ArchivedPostCursors.Row::author,
					Collectors.collectingAndThen(Collectors.toList(), ArchivedPostCursors::of)));
	}

	/** The latest places of an author before a place, newest first. */
	public Mono<List<Cursor>> latest(String author, Cursor before, int count) {
		return this.database.read((client) -> latest(client, author, before, count, false));
	}

	private static Mono<List<Cursor>> latest(DatabaseClient client, String author, Cursor before, int count,
			boolean pulled) {
		return places(client,
				"select committed, id from posts where author = :author and committed <= :millis "
						+ "and (committed, id) < (:millis, :id)" + (pulled ? ONLY_PULLED : "")
						+ " order by committed desc, id desc limit :count",
				author, before, count);
	}

	/** The earliest places of an author after a place, oldest first. */
	public Mono<List<Cursor>> earliest(String author, Cursor after, int count) {
		return this.database.read((client) -> places(client, EARLIEST, author, after, count));
	}

	private static Mono<List<Cursor>> places(DatabaseClient client, String sql, String author, Cursor from, int count) {
		return client.sql(sql)
			.bind("author", author)
			.bind("millis", from.score())
			.bind("id", from.member())
			.bind("count", count)
			.map(ArchivedPostRepository::place)
			.all()
			.collectList();
	}

	/**
	 * The latest places of posts that have all of the words, before a place, newest
	 * first. Some of the posts have not moved yet.
	 * @return nothing on H2, which has no index of words
	 */
	public Mono<List<Cursor>> search(Collection<String> words, Cursor before, int count) {
		return !this.database.hasWords() ? Mono.just(List.of())
				: this.database.search((client) -> isSortedByTime(client).flatMap((sorted) -> client
					.sql("(" + withWords("posts") + ") union (" + withWords("young_words")
							+ ") order by committed desc, id desc limit :count")
					.bind("words", words.toArray(String[]::new))
					.bind("millis", before.score())
					.bind("id", before.member())
					.bind("most", sorted ? MOST_BY_TIME : 0)
					.bind("count", count)
					.map(ArchivedPostRepository::place)
					.all()
					.collectList()));
	}

	/**
	 * Whether the indexes by time are there. Without them, the database would sort all
	 * posts for each search. They are asked for until they are there.
	 */
	private Mono<Boolean> isSortedByTime(DatabaseClient client) {
		return this.sortedByTime ? Mono.just(true)
				: client
					.sql("select count(*) = 2 from pg_index where indisvalid and indexrelid in "
							+ "(to_regclass('posts_by_time'), to_regclass('young_posts_by_time'))")
					.map((row) -> Boolean.TRUE.equals(row.get(0, Boolean.class)))
					.one()
					.doOnNext((sorted) -> this.sortedByTime = sorted);
	}

	/**
	 * Some posts are gone through by time. Common words fill the page there. If they do
	 * not, the index of words finds the posts. They are sorted by a sum, so that the
	 * database does not go through all posts by time instead.
	 */
	private static String withWords(String table) {
		String before = "(committed, id) < (:millis, :id)";
		String found = "words @> cast(:words as varchar[])";
		return "with near as (select committed, id from (select committed, id, words from " + table + " where " + before
				+ " order by committed desc, id desc limit :most) as newest where " + found
				+ " order by committed desc, id desc limit :count) "
				+ "select committed, id from near union (select committed, id from " + table
				+ " where (select count(*) from near) < :count and " + found + " and " + before
				+ " order by committed + 0 desc, id desc limit :count)";
	}

	/**
	 * The first author after another one in the order of ids; empty when there is none.
	 */
	public Mono<String> authorAfter(String author) {
		return this.database.inBackground(
				(client) -> client.sql("select author from posts where author > :author order by author limit 1")
					.bind("author", author)
					.map((row) -> text(row, "author"))
					.one());
	}

	/**
	 * An author's earliest posts after a place, oldest first, with all that they have.
	 */
	public Mono<List<ArchivedPost>> postsOf(String author, Cursor after, int count) {
		return this.database.inBackground((client) -> client
			.sql("select " + COLUMNS + " from posts where author = :author and committed >= :millis "
					+ "and (committed, id) > (:millis, :id) order by committed, id limit :count")
			.bind("author", author)
			.bind("millis", after.score())
			.bind("id", after.member())
			.bind("count", count)
			.map(ArchivedPostRepository::post)
			.all()
			.collectList());
	}

	/**
	 * The latest places of an author that are within one of some times, newest first. The
	 * times have no ms in common. Each is looked up by itself: with all of them in one
	 * condition, PostgreSQL goes through all posts of the author.
	 * @param times each from its first ms to its last one
	 */
	public Mono<List<Cursor>> within(String author, List<Range<Long>> times, int count) {
		String each = IntStream.range(0, times.size())
			.mapToObj((i) -> "(select committed, id from posts where author = :author and committed between :from" + i
					+ " and :until" + i + " order by committed desc, id desc limit :count)")
			.collect(Collectors.joining(" union all "));
		return this.database.read((client) -> {
			DatabaseClient.GenericExecuteSpec sql = client
				.sql("select committed, id from (" + each + ") as found order by committed desc, id desc limit :count")
				.bind("author", author)
				.bind("count", count);
			for (int i = 0; i < times.size(); i++) {
				sql = sql.bind("from" + i, times.get(i).getLowerBound().getValue().orElseThrow())
					.bind("until" + i, times.get(i).getUpperBound().getValue().orElseThrow());
			}
			return sql.map(ArchivedPostRepository::place).all().collectList();
		});
	}

	/** Those of the posts that are by the author. */
	public Mono<List<String>> by(String author, Collection<String> ids) {
		return ids.isEmpty() ? Mono.just(List.of())
				: this.database
					.read((client) -> client.sql("select id from posts where author = :author and id in (:ids)")
						.bind("author", author)
						.bind("ids", ids)
						.map((row) -> text(row, "id"))
						.all()
						.collectList());
	}

	/** Stores one count of a post. Does nothing if the post is not there. */
	public Mono<Void> setCount(String id, String field, long count) {
		return this.database.read((client) -> setCount(client, id, field, count))
			.then(Mono.defer(() -> this.cache.forget(List.of(id))));
	}

	/** The same without the short time-out of pages. */
	public Mono<Void> setCountInBackground(String id, String field, long count) {
		return this.database.inBackground((client) -> setCount(client, id, field, count))
			.then(Mono.defer(() -> this.cache.forget(List.of(id))));
	}

	private static Mono<Long> setCount(DatabaseClient client, String id, String field, long count) {
		return !NUMBERS.contains(field) ? Mono.error(() -> new IllegalArgumentException("no count: " + field))
				: client.sql("update posts set " + field + " = :count where id = :id")
					.bind("count", count)
					.bind("id", id)
					.fetch()
					.rowsUpdated();
	}

	/** Some reposts by an author of posts that are there, too, the oldest first. */
	public Mono<List<ArchivedRepost>> reposts(String author, Cursor after, int count) {
		return this.database.inBackground((client) -> client
			.sql("select committed, id, repost_of from posts where author = :author and committed >= :millis "
					+ "and (committed, id) > (:millis, :id) and repost_of is not null "
					+ "and exists (select 1 from posts as originals where originals.id = posts.repost_of) "
					+ "order by committed, id limit :count")
			.bind("author", author)
			.bind("millis", after.score())
			.bind("id", after.member())
			.bind("count", count)
			.map((row) -> new ArchivedRepost(place(row), author, text(row, "repost_of")))
			.all()
			.collectList());
	}

	/**
	 * Sets the likes and replies of an author's posts to nothing where the archive has no
	 * list of them, and all their reposts. Only Redis has lists of reposts. No statement
	 * changes many posts, because each has only so much time.
	 */
	public Mono<Void> forgetCountsWithoutLists(String author) {
		return forgetCounts(author, Cursor.START).expand((last) -> forgetCounts(author, last)).then();
	}

	/** The last of some posts after a place; empty when there is none. */
	private Mono<Cursor> forgetCounts(String author, Cursor after) {
		String ifListed = "%1$s = case when exists (select 1 from lists where name = '%1$s:' || posts.id) then %1$s end, ";
		return this.database.inBackground((client) -> places(client, EARLIEST, author, after, CHANGED_AT_ONCE)
			.filter((places) -> !places.isEmpty())
			.map((places) -> places.get(places.size() - 1))
			.delayUntil((last) -> client
				.sql("update posts set " + ifListed.formatted("likes") + ifListed.formatted("replies")
						+ "reposts = null where author = :author and committed >= :after and committed <= :millis "
						+ "and (committed, id) > (:after, :afterId) and (committed, id) <= (:millis, :id) "
						+ "and (likes > 0 or replies > 0 or reposts > 0)")
				.bind("author", author)
				.bind("after", after.score())
				.bind("afterId", after.member())
				.bind("millis", last.score())
				.bind("id", last.member())
				.fetch()
				.rowsUpdated()));
	}

	/** Some posts, in the order of their ids. */
	Mono<List<ArchivedPost>> all(String after, int count) {
		return this.database.inBackground(
				(client) -> client.sql("select " + COLUMNS + " from posts where id > :after order by id limit :count")
					.bind("after", after)
					.bind("count", count)
					.map(ArchivedPostRepository::post)
					.all()
					.collectList());
	}

	/** Removes posts, and by what they are found. */
	public Mono<Void> remove(Collection<String> ids) {
		return removeFromIndex(ids).then(Mono.defer(() -> remove("posts", ids)))
			.then(Mono.defer(this.database::sync))
			.then(Mono.defer(() -> this.cache.forget(ids)));
	}

	/** Removes what posts are found by, and leaves the posts. */
	Mono<Void> removeFromIndex(Collection<String> ids) {
		return (this.database.hasWords() ? remove("young_words", ids) : Mono.<Void>empty())
			.then(Mono.defer(() -> remove("tags", ids)));
	}

	private Mono<Void> remove(String table, Collection<String> ids) {
		return ids.isEmpty() ? Mono.empty()
				: this.database
					.inBackground((client) -> client.sql("delete from " + table + " where id in (:ids)")
						.bind("ids", ids)
						.fetch()
						.rowsUpdated())
					.then();
	}

	/** What is known of an author, in one statement over all posts of the author. */
	public Mono<ArchivedAuthor> author(String id) {
		return this.database.inBackground((client) -> client.sql("""
				select max(username) as username, count(*) as posts, max(committed) as newest,
				  sum(case when pulled then 1 else 0 end) as pulled,
				  max(case when pulled then committed else 0 end) as newest_pulled
				from posts
				where author = :author""")
			.bind("author", id)
			.map((row) -> new ArchivedAuthor(id, text(row, "username"), number(row, "posts"), number(row, "newest"),
					number(row, "pulled"), number(row, "newest_pulled")))
			.one());
	}

	/**
	 * How many posts of an author there are, in one statement. PostgreSQL makes a hash
	 * table of those that do not count. With {@code <> all} it would compare each post
	 * with each of them as soon as it plans the statement without its values.
	 * @param except ids of posts that do not count
	 */
	Mono<Long> count(String author, Collection<String> except) {
		return this.database.inBackground((client) -> {
			String all = "select count(*) from posts where author = :author";
			DatabaseClient.GenericExecuteSpec sql = except.isEmpty() ? client.sql(all)
					: this.database.isPostgres()
							? client.sql(all + " and id not in (select unnest(:except))")
								.bind("except", except.toArray(String[]::new))
							: client.sql(all + " and id not in (:except)").bind("except", except);
			return sql.bind("author", author).map((row) -> row.get(0, Long.class)).one();
		});
	}

}
