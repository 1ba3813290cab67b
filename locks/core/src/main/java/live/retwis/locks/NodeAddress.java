package live.retwis.locks;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Where a node is, and how to log in to it.
 *
 * @param name {@code host:port}; may be shown
 * @param tls whether the connection is encrypted
 * @param user of the server's access list; null for the default user
 * @param password must never be shown
 */
record NodeAddress(String name, boolean tls, @Nullable String user, @Nullable String password) {

	private static final Set<String> SCHEMES = Set.of("redis", "rediss");

	/**
	 * Reads {@code redis://[:password@]host:port}.
	 * @return the address, or null when the text is not one
	 */
	static @Nullable NodeAddress parse(String text) {
		try {
			URI uri = new URI(text.strip());
			if (uri.getHost() == null || uri.getPort() < 1 || uri.getPort() > 65535 || !isPlain(uri)) {
				return null;
			}
			String[] login = (uri.getUserInfo() != null) ? uri.getUserInfo().split(":", 2) : new String[0];
			return (login.length == 1) ? null
					: new NodeAddress(uri.getHost().toLowerCase(Locale.ROOT) + ":" + uri.getPort(),
							uri.getScheme().equals("rediss"), part(login, 0), part(login, 1));
		}
		catch (URISyntaxException ex) {
			return null;
		}
	}

	private static boolean isPlain(URI uri) {
		return uri.getScheme() != null && SCHEMES.contains(uri.getScheme()) && uri.getQuery() == null
				&& uri.getFragment() == null && (uri.getPath().isEmpty() || uri.getPath().equals("/"));
	}

	private static @Nullable String part(String[] login, int index) {
		return (index < login.length && !login[index].isEmpty()) ? login[index] : null;
	}

	/** The address without user and password. */
	String uri() {
		return (this.tls ? "rediss://" : "redis://") + this.name;
	}

	@Override
	public String toString() {
		return this.name;
	}

}
