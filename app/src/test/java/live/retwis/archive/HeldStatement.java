package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.locks.nodes.proxy.FaultHandle;
import live.retwis.testing.PostgresServer;
import org.awaitility.Awaitility;

/**
 * A statement that waits in the database before it writes to the archive. When it is let
 * go, it is done, even if its sender has ended.
 */
final class HeldStatement implements FaultHandle {

	private static final Duration BOUND = Duration.ofSeconds(30);

	private final PostgresServer database;

	/** The process of the database that waits, if there is one. */
	private List<String> waiting = List.of();

	private HeldStatement(PostgresServer database) {
		this.database = database;
	}

	/**
	 * Has the database count the statements from now on. An insert that may become an
	 * update would count twice, so updates do not count.
	 */
	static void prepare(PostgresServer database) {
		database.sql("""
				create table held (number bigint);
				create sequence written;
				create function hold() returns trigger language plpgsql as $$
				begin
				  if nextval('written') = (select number from held) then
				    while exists (select from held) loop
				      perform pg_sleep(0.02);
				    end loop;
				  end if;
				  return null;
				end $$;
				""" + Stream.of("posts", "tags", "young_words", "lists")
			.map((table) -> "create trigger hold before insert or delete on " + table
					+ " for each statement execute function hold();")
			.collect(Collectors.joining()));
	}

	/** Holds the one with that number from now on, counted from 1. */
	static HeldStatement nth(PostgresServer database, int number) {
		database.sql("alter sequence written restart; insert into held values (" + number + ")");
		return new HeldStatement(database);
	}

	/** Whether it waits, or has waited. */
	boolean isMet() {
		if (this.waiting.isEmpty()) {
			this.waiting = this.database.sql("select pid from pg_stat_activity where wait_event = 'PgSleep'");
		}
		return !this.waiting.isEmpty();
	}

	/** Lets it go, and waits until its connection has ended, because its sender has. */
	@Override
	public void close() {
		this.database.sql("delete from held");
		this.waiting.forEach((pid) -> Awaitility.await("the end of the statement")
			.atMost(BOUND)
			.until(() -> this.database.sql("select pid from pg_stat_activity where pid = " + pid).isEmpty()));
	}

}
