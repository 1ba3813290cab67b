package live.retwis.xray;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.MultiValueMap;

/** What a request sends that nobody else may know. */
final class RequestSecrets {

	/** A shorter text is no secret, and would blank half of the commands. */
	private static final int SHORTEST = 8;

	private RequestSecrets() {
	}

	/** The cookies and their parts, the token of the form, and passwords. */
	static List<String> of(ServerHttpRequest request, MultiValueMap<String, String> fields) {
		List<String> secrets = new ArrayList<>();
		request.getCookies()
			.values()
			.forEach((cookies) -> cookies.forEach((cookie) -> secrets.addAll(List.of(cookie.getValue().split("\\.")))));
		fields.forEach((name, values) -> {
			if (isSecret(name)) {
				secrets.addAll(values);
			}
		});
		viewerId(request).ifPresent(secrets::remove);
		secrets.removeIf((secret) -> secret.length() < SHORTEST);
		return secrets;
	}

	/** The first part of the session's cookie is the user's id, which is no secret. */
	private static Optional<String> viewerId(ServerHttpRequest request) {
		return request.getCookies()
			.values()
			.stream()
			.flatMap(List::stream)
			.map((cookie) -> cookie.getValue().split("\\.", 2)[0])
			.filter((part) -> part.length() == 13)
			.findFirst();
	}

	private static boolean isSecret(String field) {
		String name = field.toLowerCase(Locale.ROOT);
		return name.startsWith("password") || name.equals("old") || name.equals("_csrf");
	}

}
