package live.retwis.web;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * What this instance is called: {@code retwis.instance}, else host and port.
 */
@Component
public class InstanceName {

	private volatile String name;

	private final boolean given;

	InstanceName(@Value("${retwis.instance:}") String instance, @Value("${server.port:8080}") int port) {
		this.given = !instance.isBlank();
		this.name = this.given ? instance : host() + ":" + port;
	}

	/** A port of 0 is chosen when the server starts. */
	@EventListener
	void serverStarted(WebServerInitializedEvent event) {
		if (!this.given && event.getApplicationContext().getServerNamespace() == null) {
			this.name = host() + ":" + event.getWebServer().getPort();
		}
	}

	private static String host() {
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
