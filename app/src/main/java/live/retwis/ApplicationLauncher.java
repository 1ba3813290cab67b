package live.retwis;

import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.netty.handler.codec.http2.Http2Exception;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.startup.EmbeddedRedis;
import live.retwis.startup.ManagementPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Hooks;
import reactor.netty.channel.AbortedException;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.codec.DecodingException;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.web.server.ResponseStatusException;

/**
 * Starts one instance in this process.
 */
public final class ApplicationLauncher {

	private static final Logger log = LoggerFactory.getLogger(ApplicationLauncher.class);

	/** Netty's message for a closed connection's channel. */
	private static final String NO_CONNECTION = "channel not registered to an event loop";

	private ApplicationLauncher() {
	}

	/**
	 * Serves the site until the process is asked to end.
	 * @param settings of the form {@code --property=value}
	 */
	public static ConfigurableApplicationContext serve(String... settings) {
		ConfigurableApplicationContext site = start(WebApplicationType.REACTIVE, EmbeddedRedis::startIfWanted, Map.of(),
				settings);
		log.info("Retwis Live is open at http://localhost:{}", site.getEnvironment().getProperty("local.server.port"));
		return site;
	}

	/**
	 * Starts everything except the web server, for commands.
	 * @param defaults values of settings that are set nowhere else
	 */
	static ConfigurableApplicationContext withoutPages(Map<String, Object> defaults, String... settings) {
		return start(WebApplicationType.NONE, EmbeddedRedis::startIfWanted, defaults, settings);
	}

	/**
	 * Starts the same for commands that work on the data of a site. If no setting names
	 * the data node, embedded nodes must be running.
	 * @param defaults values of settings that are set nowhere else
	 */
	static ConfigurableApplicationContext besideSite(Map<String, Object> defaults, String... settings) {
		return start(WebApplicationType.NONE, EmbeddedRedis::joinIfWanted, defaults, settings);
	}

	/**
	 * Logs errors that come after a result. Six kinds are expected: several commands fail
	 * at once while Redis is away, Spring's reader of forms with files tells twice that a
	 * form ends too early or is refused, a connection is closed while its form times out,
	 * a connection ends at the moment of its answer, a client breaks the rules of HTTP/2,
	 * and a connection to the archive takes longer than a page waits. They are logged at
	 * debug level, so that nobody can fill the log.
	 */
	private static void dropped(Throwable error) {
		if (error instanceof DecodingException || error instanceof AbortedException || error instanceof TimeoutException
				|| error instanceof Http2Exception || error instanceof ResponseStatusException
				|| NO_CONNECTION.equals(error.getMessage()) || RedisErrorClassifier.isAway(error)) {
			log.debug("An error came after the answer", error);
		}
		else {
			log.error("An error came after the result, and nothing handled it", error);
		}
	}

	private static ConfigurableApplicationContext start(WebApplicationType type,
			Consumer<ConfigurableEnvironment> redis, Map<String, Object> defaults, String... settings) {
		Hooks.onErrorDropped(ApplicationLauncher::dropped);
		SpringApplication application = new SpringApplication(RetwisLive.class);
		application.setWebApplicationType(type);
		application.setDefaultProperties(defaults);
		application.addListeners((ApplicationListener<ApplicationEnvironmentPreparedEvent>) (event) -> {
			ManagementPort.choose(event.getEnvironment());
			redis.accept(event.getEnvironment());
		});
		try {
			return application.run(settings);
		}
		catch (RuntimeException ex) {
			throw new NotStartedException(ex);
		}
	}

	/** The start failed. The reason is in the log. */
	static class NotStartedException extends RuntimeException {

		NotStartedException(RuntimeException cause) {
			super("the start failed", cause);
		}

	}

}
