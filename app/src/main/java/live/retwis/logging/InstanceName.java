package live.retwis.logging;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * The name of this instance: {@code retwis.instance}, or a random one. Each answer has
 * it. A random name tells visitors nothing of the machine, and tells instances apart.
 */
@Component
public class InstanceName {

	static final String PROPERTY = "retwis.instance";

	private static final Logger log = LoggerFactory.getLogger(InstanceName.class);

	private static final int LENGTH = 6;

	private final String name;

	InstanceName(@Value("${" + PROPERTY + "}") String name) {
		this.name = name;
	}

	/** A name that no other instance is likely to have. */
	static String random() {
		Random random = ThreadLocalRandom.current();
		return random.ints(LENGTH, 0, Character.MAX_RADIX)
			.mapToObj((digit) -> Integer.toString(digit, Character.MAX_RADIX))
			.reduce("", String::concat);
	}

	/** Tells the operator where this instance is. */
	@EventListener
	void serverStarted(WebServerInitializedEvent event) {
		if (event.getApplicationContext().getServerNamespace() == null) {
			log.info("Instance {} is {}:{}", this.name, host(), event.getWebServer().getPort());
		}
	}

	/** The name of this machine. */
	public static String host() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "localhost";
		}
	}

	@Override
	public String toString() {
		return this.name;
	}

}
