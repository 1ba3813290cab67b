package live.retwis.export;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonProperty;
import live.retwis.account.ExportedSession;
import live.retwis.account.User;
import live.retwis.i18n.Message;
import live.retwis.picture.Picture;
import live.retwis.redis.Cursor;
import live.retwis.web.ProblemException;
import live.retwis.web.TimeFormat;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;

/**
 * Writes a user's own data as JSON. It reads a page when the reader has taken the one
 * before, so that memory is bounded however much there is. What the package
 * {@code account} has is bounded and comes first; it is no {@link ExportPart}, because
 * that package is used here.
 */
@Component
class AccountExport {

	/** Most files that are sent at the same time. Each takes up to 2 MB of memory. */
	static final int MOST = 50;

	private static final int RETRY_AFTER_SECONDS = 60;

	/** The ids of the users whose files are being sent. */
	private final Set<String> running = ConcurrentHashMap.newKeySet();

	private final List<ExportPart> parts;

	private final JsonMapper json;

	AccountExport(List<ExportPart> parts, JsonMapper json) {
		this.parts = parts.stream().sorted(Comparator.comparing(ExportPart::name)).toList();
		this.json = json;
	}

	/**
	 * The file, in pieces of one page each. A reader may take as long as it likes for
	 * them, so each user has one file at a time, and all users together have a few.
	 * @param picture the picture that the user has uploaded
	 * @param sessions where the user is logged in
	 * @return a {@link ProblemException} when this file may not begin now
	 */
	Flux<String> of(User user, Optional<Picture> picture, List<ExportedSession> sessions) {
		return Flux.defer(() -> mayBegin(user.id())
				? pieces(user, picture, sessions).doFinally((end) -> this.running.remove(user.id()))
				: ProblemException.<String>later(Message.of("settings.export-busy"), RETRY_AFTER_SECONDS).flux());
	}

	private synchronized boolean mayBegin(String userId) {
		return this.running.size() < MOST && this.running.add(userId);
	}

	private Flux<String> pieces(User user, Optional<Picture> picture, List<ExportedSession> sessions) {
		return Flux
			.just("{\"profile\":" + this.json.writeValueAsString(ExportedProfile.of(user, picture)) + ",\n\"sessions\":"
					+ this.json.writeValueAsString(sessions))
			.concatWith(Flux.fromIterable(this.parts).concatMap((part) -> of(part, user.id()), 1))
			.concatWith(Flux.just("}\n"));
	}

	private Flux<String> of(ExportPart part, String userId) {
		Flux<String> pages = places(part, userId).concatMap(part::items, 1)
			.filter((items) -> !items.isEmpty())
			.map((items) -> items.stream().map(this.json::writeValueAsString).collect(Collectors.joining(",\n")));
		return Flux.just(",\n\"" + part.name() + "\":[\n")
			.concatWith(pages.index((number, page) -> (number > 0) ? ",\n" + page : page))
			.concatWith(Flux.just("\n]"));
	}

	private static Flux<List<Cursor>> places(ExportPart part, String userId) {
		return part.places(userId, Optional.empty())
			.expand((page) -> (page.size() < ExportPart.PAGE) ? Mono.empty()
					: part.places(userId, Optional.of(page.get(page.size() - 1))));
	}

	/**
	 * What others see of the user.
	 *
	 * @param picture a {@code data:} address, which any browser shows; null for none
	 */
	private record ExportedProfile(String id, String username, String name, String bio, @Nullable String picture,
			@JsonProperty("created_at") String createdAt) {

		static ExportedProfile of(User user, Optional<Picture> picture) {
			return new ExportedProfile(user.id(), user.username(), user.name(), user.bio(),
					picture.map((uploaded) -> "data:image/jpeg;base64," + uploaded.base64()).orElse(null),
					TimeFormat.iso(user.created()));
		}

	}

}
