package live.retwis.web;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import javax.management.JMException;
import javax.management.ObjectName;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import live.retwis.testing.HostileRequest;
import live.retwis.testing.RawHttp;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Sends hostile requests to a site, and honest ones in between. */
final class HostileHttp {

	private static final int CLIENTS = 32;

	/** One request in so many is honest. */
	private static final int HONEST = 50;

	private static final Pattern ANSWER = Pattern.compile("HTTP/1\\.[01] (\\d{3})[ \r]");

	private static final Pattern TRACE = Pattern.compile("\tat |Exception|NullPointer");

	private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

	private final Site site;

	/** Every other request is sent in this user's session. */
	private final Visitor user;

	private final String auth;

	private final String token;

	HostileHttp(Site site) {
		this.site = site;
		this.user = Visitor.registered(site);
		this.auth = this.user.cookie("auth");
		this.token = this.user.token();
	}

	/** Sends the requests with these numbers. None may be answered with an error. */
	void play(long from, long to) throws Exception {
		Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
		ErrorsInLog errors = new ErrorsInLog();
		errors.start();
		root.addAppender(errors);
		ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
		try {
			List<Callable<Boolean>> all = LongStream.range(from, to)
				.mapToObj((number) -> (Callable<Boolean>) () -> play(number))
				.toList();
			for (Future<Boolean> one : clients.invokeAll(all)) {
				assertThat(one.get()).isTrue();
			}
		}
		finally {
			clients.shutdownNow();
			root.detachAppender(errors);
		}
		assertThat(this.wrong).isEmpty();
		assertThat(this.user.isSignedIn()).as("to the end").isTrue();
	}

	private boolean play(long number) {
		HostileRequest anonymous = HostileRequest.of(number);
		HostileRequest request = (number % 2 == 0) ? anonymous : anonymous.by(this.auth, this.token);
		String answer = request.sendTo(this.site.port());
		List<String> answers = ANSWER.matcher(answer).results().map((MatchResult found) -> found.group(1)).toList();
		if (answers.size() > request.mostAnswers() || answers.contains("500") || TRACE.matcher(answer).find()) {
			this.wrong
				.add("request " + number + " got " + answers + ": " + start(request.text()) + "\n--> " + start(answer));
		}
		if (number % HONEST == 0 && !RawHttp.get(this.site, "/login").startsWith("HTTP/1.1 200")) {
			this.wrong.add("no page after request " + number);
		}
		return true;
	}

	private static String start(String text) {
		return text.substring(0, Math.min(600, text.length()));
	}

	/** Bytes of the heap that are in use. */
	static long heap() {
		System.gc();
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	/**
	 * Bytes of this process in memory, without what the C library has free. It keeps
	 * some, now more and now less. Call {@link #heap} before, so that the JVM gives back
	 * what it has added to the heap.
	 */
	static long resident() throws IOException, JMException {
		ManagementFactory.getPlatformMBeanServer()
			.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "systemTrimNativeHeap", null, null);
		return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * 4096;
	}

	/** Stack traces and errors in the log. */
	private final class ErrorsInLog extends AppenderBase<ILoggingEvent> {

		@Override
		protected void append(ILoggingEvent event) {
			if (event.getThrowableProxy() != null || event.getLevel().isGreaterOrEqual(Level.ERROR)) {
				HostileHttp.this.wrong
					.add("in the log: " + event.getFormattedMessage() + " " + ((event.getThrowableProxy() != null)
							? event.getThrowableProxy().getClassName() + " " + event.getThrowableProxy().getMessage()
							: ""));
			}
		}

	}

}
