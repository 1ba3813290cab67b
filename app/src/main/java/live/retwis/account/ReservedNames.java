package live.retwis.account;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;

import live.retwis.web.RouteTable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;

/**
 * Names that visitors cannot register: those in {@code reserved-names.txt}, with which
 * somebody could pass for the operator, and the first words of the site's own addresses.
 * Users who have such a name keep it. An operator can register it.
 */
@Component
class ReservedNames {

	private final Set<String> listed;

	/** Asked late, because the forms that ask for names are in the table. */
	private final ObjectProvider<RouteTable> routes;

	ReservedNames(ObjectProvider<RouteTable> routes) {
		this.listed = read();
		this.routes = routes;
	}

	private static Set<String> read() {
		try {
			return new ClassPathResource("reserved-names.txt").getContentAsString(StandardCharsets.US_ASCII)
				.lines()
				.collect(Collectors.toUnmodifiableSet());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	boolean contain(String username) {
		String name = UsernameRules.fold(username);
		return this.listed.contains(name) || this.routes.getObject().firstWords().contains(name);
	}

}
