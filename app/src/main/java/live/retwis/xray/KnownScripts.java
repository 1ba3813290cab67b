package live.retwis.xray;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.redis.LuaScript;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.data.redis.core.script.DigestUtils;

/**
 * The scripts in {@code resources/lua}. Redis identifies them by their SHA-1.
 */
@ConditionalOnXray
class KnownScripts {

	private static final String SUFFIX = ".lua";

	private final Map<String, KnownScript> bySha;

	KnownScripts() {
		try {
			this.bySha = Arrays.stream(new PathMatchingResourcePatternResolver().getResources("classpath:/lua/*.lua"))
				.map(KnownScripts::nameOf)
				.flatMap((name) -> Stream.of(LuaScript.named(name), LuaScript.withDeadline(name))
					.map((script) -> new KnownScript(name, script.getScriptAsString())))
				.collect(Collectors.toUnmodifiableMap((script) -> DigestUtils.sha1DigestAsHex(script.source()),
						Function.identity()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String nameOf(Resource file) {
		String name = Objects.requireNonNull(file.getFilename());
		return name.substring(0, name.length() - SUFFIX.length());
	}

	/** The script with this SHA-1, or with this text; null when it is not the site's. */
	@Nullable KnownScript find(String shaOrSource) {
		KnownScript known = this.bySha.get(shaOrSource);
		return (known != null) ? known : this.bySha.get(DigestUtils.sha1DigestAsHex(shaOrSource));
	}

	/** What each script costs, as its file says, by its name. */
	Map<String, String> costs() {
		return this.bySha.values()
			.stream()
			.collect(Collectors.toMap(KnownScript::name, KnownScript::cost, (cost, same) -> cost));
	}

	/**
	 * A script.
	 *
	 * @param name file name without the ending
	 * @param source its text, as Redis has it
	 */
	record KnownScript(String name, String source) {

		private static final Pattern COST = Pattern.compile("(?m)^-- Cost +(.+)$");

		private String cost() {
			Matcher found = COST.matcher(this.source);
			return found.find() ? found.group(1) : "";
		}

	}

}
