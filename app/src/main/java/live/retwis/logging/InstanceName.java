package live.retwis.logging;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The name of this instance: {@code retwis.instance}, or host and port. */
@Component
public class InstanceName {

	private volatile String name;

	private final boolean given;

	InstanceName(@Value("${retwis.instance:}") String instance, @Value("${server.port:8080}") int port) {
		this.given = !instance.isBlank();
		this.name = this.given ? instance : at(port);
	}

	/**
	 * The default name.
	 * @param port 0 when it is unknown, or when the process serves nothing
	 */
	static String at(int port) {
		return (port > 0) ? host() + ":" + port : host();
	}

	/**
	 * Updates the name. If the configured port is 0, the real one is known only when the
	 * server has started.
	 */
	@EventListener
	void serverStarted(WebServerInitializedEvent event) {
		if (!this.given && event.getApplicationContext().getServerNamespace() == null) {
			this.name = at(event.getWebServer().getPort());
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
