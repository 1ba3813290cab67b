package live.retwis.learn;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import live.retwis.i18n.Localized;
import live.retwis.learn.TranscriptStep.Lane;
import live.retwis.locks.nodes.RedisProcess;

/**
 * Where an experiment plays: its servers, its clients, and what is recorded of each step.
 * An experiment has 10 s, and 60 steps at most.
 */
final class ExperimentContext implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private static final int MOST_STEPS = 60;

	/** Time between two looks at something that is about to happen. */
	private static final Duration LOOK = Duration.ofMillis(20);

	private static final Localized NOTHING = Localized.verbatim("");

	private final ScratchServers servers = new ScratchServers();

	private final List<RespConnection> connections = new ArrayList<>();

	private final List<TranscriptStep> steps = new ArrayList<>();

	private final long began = System.nanoTime();

	/** The servers, which experiments start as they need them. */
	ScratchServers servers() {
		return this.servers;
	}

	/** What was recorded so far. */
	List<TranscriptStep> steps() {
		return List.copyOf(this.steps);
	}

	/** Connects client A, which the left lane shows. */
	Client a(RedisProcess server) throws IOException {
		return new Client(Lane.A, connect(server));
	}

	/** Connects client B, which the right lane shows. */
	Client b(RedisProcess server) throws IOException {
		return new Client(Lane.B, connect(server));
	}

	private RespConnection connect(RedisProcess server) throws IOException {
		RespConnection connection = new RespConnection(server.port(), left());
		this.connections.add(connection);
		return connection;
	}

	/**
	 * The time that is left to the experiment.
	 * @throws IOException when it is over
	 */
	private Duration left() throws IOException {
		Duration left = LIMIT.minusNanos(System.nanoTime() - this.began);
		if (left.isNegative() || left.isZero()) {
			throw new IOException("The experiment has taken more than " + LIMIT.toSeconds() + " s");
		}
		return left;
	}

	private void add(TranscriptStep step) {
		if (this.steps.size() == MOST_STEPS) {
			throw new IllegalStateException("An experiment has at most " + MOST_STEPS + " steps");
		}
		this.steps.add(step);
	}

	/**
	 * Does something that no client does, such as killing a server.
	 * @param what says what is done
	 * @param note what to notice
	 */
	void happens(Localized what, Runnable action, Localized note) throws IOException {
		left();
		long begin = System.nanoTime();
		action.run();
		add(new TranscriptStep(Lane.WORLD, what, NOTHING, micros(begin), note));
	}

	/** Lets time pass, and records that. */
	void passes(Duration time, Localized what, Localized note) throws IOException {
		long begin = System.nanoTime();
		pause(time);
		add(new TranscriptStep(Lane.WORLD, what, NOTHING, micros(begin), note));
	}

	private void pause(Duration time) throws IOException {
		long most = Math.min(time.toNanos(), left().toNanos());
		try {
			new CountDownLatch(1).await(most, TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("The experiment was ended", ex);
		}
	}

	private static long micros(long begin) {
		return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begin);
	}

	/** Ends all connections and servers. */
	@Override
	public void close() {
		this.servers.close();
		this.connections.forEach(RespConnection::close);
	}

	/**
	 * A client of an experiment, with a connection of its own.
	 */
	final class Client {

		private final Lane lane;

		private final RespConnection connection;

		private Client(Lane lane, RespConnection connection) {
			this.lane = lane;
			this.connection = connection;
		}

		/**
		 * Sends a command, and records it with the answer.
		 * @param note what to notice
		 * @return the answer, which may be an error
		 */
		RespReply does(Localized note, String... command) throws IOException {
			long begin = System.nanoTime();
			RespReply reply = this.connection.send(List.of(command), left());
			add(new TranscriptStep(this.lane, Localized.verbatim(typed(command)), Localized.verbatim(reply.text()),
					micros(begin), note));
			return reply;
		}

		/** Waits for a message of a channel, and records it. */
		RespReply hears(Localized what, Localized note) throws IOException {
			long begin = System.nanoTime();
			RespReply message = this.connection.receive(left());
			add(new TranscriptStep(this.lane, what, Localized.verbatim(message.text()), micros(begin), note));
			return message;
		}

		/** Sends a command that is no part of the story. It is not recorded. */
		RespReply quietly(String... command) throws IOException {
			return this.connection.send(List.of(command), left());
		}

		/** Sends a command again and again, unrecorded, until the answer is as wanted. */
		void await(Predicate<RespReply> wanted, String... command) throws IOException {
			while (!wanted.test(quietly(command))) {
				pause(LOOK);
			}
		}

		private static String typed(String... command) {
			return List.of(command)
				.stream()
				.map((word) -> (word.isEmpty() || word.matches("(?s).*[\\s\"'\\\\].*")) ? RespReply.quoted(word) : word)
				.collect(Collectors.joining(" "));
		}

	}

}
