package live.retwis;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.lettuce.core.RedisClient;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Runs the command of the jar in this process.
 */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class DataDoctorCommandTests {

	/** Port of the embedded data node. */
	private static final int EMBEDDED = 6390;

	private final LockServers locks = new LockServers(3);

	private StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	private int run(TestRedis redis, String... options) {
		CommandLine command = RetwisLive.commandLine();
		command.setOut(new PrintWriter(this.out)).setErr(new PrintWriter(this.err));
		String[] arguments = new String[options.length + 6];
		arguments[0] = "doctor";
		System.arraycopy(options, 0, arguments, 1, options.length);
		arguments[options.length + 1] = "--retwis.embedded=false";
		arguments[options.length + 2] = "--spring.data.redis.host=" + redis.host();
		arguments[options.length + 3] = "--spring.data.redis.port=" + redis.port();
		arguments[options.length + 4] = "--retwis.locks.lease=1s";
		arguments[options.length + 5] = this.locks.setting();
		return command.execute(arguments);
	}

	@AfterEach
	void stop() {
		this.locks.close();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void endsWithZeroWhenEveryRuleHoldsAndWithOneWhenNot(@OwnRedis TestRedis redis) {
		assertThat(run(redis, "--wait")).isZero();
		assertThat(LoggerFactory.getLogger("live.retwis.live.CommitLogTailer").isWarnEnabled())
			.as("a busy machine can look like a dead subscription")
			.isFalse();
		assertThat(this.out.toString()).matches("Checked \\d keys: every rule holds.\n");
		String address = "Data node: " + redis.host() + ":" + redis.port() + "\n";
		assertThat(this.err.toString()).isIn(address, address + "Waiting for the timelines to be up to date\n");
		try (RedisClient client = RedisClient.create(redis.uri())) {
			client.connect().sync().set("next_user_id", "7");
		}
		assertThat(run(redis)).isOne();
		assertThat(this.out.toString()).contains(
				"next_user_id: is not a key of this site; delete it by hand or move it away\n", "keys: 1 violation.\n");
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void endsWithThreeWhenItCouldNotCheckEverything(@OwnRedis TestRedis redis) {
		assertThat(run(redis)).isZero();
		try (Site site = Site.start(redis, this.locks.setting(), "--retwis.locks.lease=1s",
				"--retwis.fan-out.worker=false")) {
			Visitor alice = Visitor.registered(site);
			alice.submit("/posts/" + alice.post("to be deleted") + "/delete");
		}
		try (RedisClient client = RedisClient.create(redis.uri())) {
			client.connect().sync().set("next_user_id", "7");
			assertThat(run(redis)).as("fan-out is behind").isEqualTo(3);
			assertThat(this.out.toString()).contains("next_user_id: is not a key of this site");
			client.connect().sync().del("next_user_id");
			assertThat(run(redis, "--wait")).isZero();
			client.connect().sync().zadd(Keys.UNFINISHED, 1, "no task id");
			assertThat(run(redis)).as("a key that cannot be checked").isEqualTo(3);
			client.connect().sync().del(Keys.UNFINISHED);
		}
		this.locks.killMajority();
		assertThat(run(redis, "--fix")).isEqualTo(3);
		assertThat(this.err.toString()).contains("--fix repairs nothing without a quorum of the lock nodes");
		redis.kill();
		assertThat(run(redis)).isEqualTo(3);
	}

	@Test
	@Tag("slow")
	void aReaderOfItsLinesThatPausesHoldsUpNoEventLoop(@OwnRedis TestRedis redis) {
		try (RedisClient client = RedisClient.create(redis.uri())) {
			client.connect().sync().set("next_user_id", "7");
		}
		Queue<String> nonBlocking = new ConcurrentLinkedQueue<>();
		this.out = new StringWriter() {

			@Override
			public void write(String text, int from, int length) {
				if (Schedulers.isInNonBlockingThread()) {
					nonBlocking.add(Thread.currentThread().getName());
				}
				super.write(text, from, length);
			}

		};
		assertThat(run(redis)).isOne();
		assertThat(this.out.toString()).contains("next_user_id");
		assertThat(nonBlocking).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "doctor, 3", "moderate reports, 1" })
	@ExtendWith(OutputCaptureExtension.class)
	void withoutAnyRedisItSaysWhatToSetAndStartsNone(String command, int exitCode, CapturedOutput log) {
		assumeThat(isOpen(EMBEDDED)).as("a site with embedded nodes runs on this machine").isFalse();
		assertThat(RetwisLive.commandLine().execute(command.split(" "))).isEqualTo(exitCode);
		assertThat(log).contains("The site does not run", "no embedded Redis nodes run on this machine",
				"RETWIS_LOCKS_NODES");
		assertThat(isOpen(EMBEDDED)).isFalse();
	}

	private static boolean isOpen(int port) {
		try (Socket socket = new Socket("127.0.0.1", port)) {
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Test
	void helpExplainsTheCommand() {
		CommandLine command = RetwisLive.commandLine().setOut(new PrintWriter(this.out));
		assertThat(command.execute("doctor", "--help")).isZero();
		assertThat(this.out.toString()).contains("--fix", "--wait", "Ends with 0 when every rule holds", "with 3");
	}

	@Test
	void aMistypedOptionIsRefused() {
		CommandLine command = RetwisLive.commandLine();
		StringWriter err = new StringWriter();
		command.setErr(new PrintWriter(err));
		assertThat(command.execute("doctor", "--fixx")).isEqualTo(2);
		assertThat(err.toString()).contains("'--fixx' is neither an option nor a setting");
	}

}
