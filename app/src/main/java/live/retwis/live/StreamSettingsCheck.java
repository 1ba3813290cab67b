package live.retwis.live;

import java.time.Duration;
import java.util.stream.Stream;

import live.retwis.startup.StartupException;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.reactor.netty.autoconfigure.NettyServerProperties;
import org.springframework.boot.web.server.Compression;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.core.env.Environment;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.util.MimeType;

/**
 * Refuses settings that would break streams: to the web server, a stream is a response
 * that has been going on for a long time.
 */
@Component
@ConditionalOnWebApplication(type = Type.REACTIVE)
class StreamSettingsCheck {

	private static final String REPLAY = "retwis.live.replay";

	StreamSettingsCheck(ServerProperties server, NettyServerProperties netty, Environment settings) {
		String replay = settings.getProperty(REPLAY, "");
		if (replay.matches("\\d+")) {
			throw new StartupException(REPLAY + " is " + replay + ", a number; it is a time.",
					"Set it to a time with its unit, such as 1h, or remove it. How many entries of the log are kept is "
							+ REPLAY + "-entries.");
		}
		Duration idle = netty.getIdleTimeout();
		if (idle != null && !idle.isZero()) {
			throw new StartupException(
					"server.netty.idle-timeout is %d ms, and would cut each stream after that time."
						.formatted(idle.toMillis()),
					"Remove it. retwis.limits.idle-timeout closes idle connections and spares streams.");
		}
		Compression compression = server.getCompression();
		if (compression.getEnabled() && hasStreams(compression)) {
			throw new StartupException(
					"server.compression.mime-types has text/event-stream, but streams are not compressed.",
					"Take text/event-stream, and text/* if it is there, from server.compression.mime-types.");
		}
	}

	private static boolean hasStreams(Compression compression) {
		return Stream.of(compression.getAllMimeTypes())
			.map(MimeType::valueOf)
			.anyMatch((type) -> type.includes(MediaType.TEXT_EVENT_STREAM));
	}

}
