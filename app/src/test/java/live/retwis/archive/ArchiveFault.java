package live.retwis.archive;

import live.retwis.testing.PostgresServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the database of an archive fails. */
enum ArchiveFault {

	KILLED {
		@Override
		void begin(PostgresServer database) {
			database.kill();
		}

		@Override
		void end(PostgresServer database) {
			database.restart();
		}
	},

	/** As after an update. */
	RESTARTED {
		@Override
		void begin(PostgresServer database) {
			database.stop();
			database.restart();
		}

		@Override
		void end(PostgresServer database) {
			// It is there again.
		}
	},

	PAUSED {
		@Override
		void begin(PostgresServer database) {
			database.pause();
		}

		@Override
		void end(PostgresServer database) {
			database.resume();
		}
	},

	/** Each statement that reads posts takes a second. */
	SLOW {
		@Override
		void begin(PostgresServer database) {
			database.sql("alter table posts rename to stored; "
					+ "create view posts as select * from stored where (select pg_sleep(1) is not null)");
		}

		@Override
		void end(PostgresServer database) {
			endConnections(database);
			database.sql("drop view posts; alter table stored rename to posts");
		}
	},

	/**
	 * The file system of the posts is full. Where the test cannot mount a small one, a
	 * trigger raises the same error, and the disk is not full.
	 */
	FULL {
		@Override
		void begin(PostgresServer database) {
			if (hasSmall(database)) {
				database.sql("vacuum full posts");
				database.sql("alter table posts set tablespace small");
				database.sql(FILL);
			}
			else {
				database.sql("create function full_disk() returns trigger language plpgsql as "
						+ "$$ begin raise disk_full; end $$; create trigger full_disk before insert or update on posts "
						+ "execute function full_disk()");
			}
		}

		@Override
		void end(PostgresServer database) {
			if (hasSmall(database)) {
				database
					.sql("alter table posts set tablespace pg_default; " + "delete from posts where author = 'filler'");
				// A server that is killed later must not write there again.
				database.sql("checkpoint");
			}
			else {
				database.sql("drop trigger full_disk on posts; drop function full_disk");
			}
		}
	},

	/** It takes no writes. */
	READ_ONLY {
		@Override
		void begin(PostgresServer database) {
			database.sql("alter database postgres set default_transaction_read_only = on");
			endConnections(database);
		}

		@Override
		void end(PostgresServer database) {
			database.sql(
					"set transaction read write; " + "alter database postgres set default_transaction_read_only = off");
			endConnections(database);
		}
	};

	private static final Logger log = LoggerFactory.getLogger(ArchiveFault.class);

	/** Megabytes of the small file system. The posts of all tests need less. */
	private static final int SMALL = 8;

	/** Rows until no more fit: large ones, then small ones into what they leave. */
	private static final String FILL = """
			do $$
			declare number int := 0; size int;
			begin
			  foreach size in array array[1000, 1] loop
			    loop
			      begin
			        number := number + 1;
			        insert into posts (id, author, committed, pulled, username, created, body)
			          values ('F' || lpad(number::text, 12, '0'), 'filler', 1, false, 'filler', 1, repeat('x', size));
			      exception when disk_full then
			        exit;
			      end;
			    end loop;
			  end loop;
			end $$""";

	/** The fault begins. */
	abstract void begin(PostgresServer database);

	/** The fault ends. */
	abstract void end(PostgresServer database);

	/** Prepares a database for {@link #FULL}. */
	static void prepare(PostgresServer database) {
		boolean mounted = database.makeTablespace("small", SMALL);
		log.info("A full database is {}",
				mounted ? "a full file system of " + SMALL + " MB" : "a trigger that raises disk_full");
	}

	/** Whether the test could mount a small file system. */
	private static boolean hasSmall(PostgresServer database) {
		return !database.sql("select 1 from pg_tablespace where spcname = 'small'").isEmpty();
	}

	private static void endConnections(PostgresServer database) {
		database.sql("select pg_terminate_backend(pid) from pg_stat_activity "
				+ "where backend_type = 'client backend' and pid <> pg_backend_pid()");
	}

}
