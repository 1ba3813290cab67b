package live.retwis.testing;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Texts that somebody could send to find a mistake in what reads them: pieces that mean
 * something to one of the site's formats, in any order.
 */
public final class HostileText {

	/** More than any reader takes for a text of this length, on a busy machine too. */
	private static final long MOST_MILLIS = 700;

	private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

	private static final List<String> PIECES = List.of("<", ">", "\"", "'", "&", "&lt;", "`", "=", "<script>",
			"javascript:", "http://", "hTTps://", "http://-", "@", "#", "/", "//", "\\", "%", "%00", "%2e", "..", ".",
			"?", ";", ",", ":", "\r\n", "\n", "\r", "\t", "\0", "\u001b[2J", "\u2028", "\u202e", "\u0301", "\u0316",
			"\u200d", "\u017f", "\u0130", "Σ", "ß", "½", "ﬃ", "中", "ー", "か", "𝒜", "👩‍👩‍👧", "\ufeff", "\ufffe",
			"\u00ad", "\u3164", "\u0660", "-", "_", "(", ")", "[", "]", "{", "}", "{{x}}", "[[x]]", "${x}", "!", "$",
			"*", "+", "~", "^", "|", " ", "\u00a0", "a", "h", "s", "Z", "é", "0", "7", "99999999999999999999", "1e9",
			"NaN", "0x1p9", "null", "true", "host.example", "localhost", "127.0.0.1", "[::1]", "fe80::1%1",
			"::ffff:10.0.0.1", "10.0.0.1", "65536", "q=", "q=0.5", "charset=", "UTF-8''", "=?UTF-8?B?", "=?UTF-8?Q?",
			"?=", "name=", "filename=", "filename*=", "form-data", "en", "zh-Hans", "*", "text/html",
			"application/json", "Version/", "Safari/", "0123456789ABC", "{t0001}:");

	private HostileText() {
	}

	/**
	 * Texts of a few pieces, of any characters, and long ones that repeat some pieces.
	 */
	public static Arbitrary<String> upTo(int longest) {
		Arbitrary<String> pieces = Arbitraries.of(PIECES).list().ofMaxSize(20).map((list) -> String.join("", list));
		Arbitrary<String> repeated = Combinators
			.combine(Arbitraries.of(PIECES).list().ofMinSize(1).ofMaxSize(3),
					Arbitraries.integers().between(1, longest))
			.as((list, length) -> repeat(String.join("", list), length));
		Arbitrary<String> any = Arbitraries.strings().all().ofMaxLength(Math.min(longest, 100)).map(HostileText::sent);
		return Arbitraries.frequencyOf(Tuple.of(5, pieces), Tuple.of(2, repeated), Tuple.of(1, any))
			.map((text) -> text.substring(0, Math.min(longest, text.length())))
			.map(HostileText::sent);
	}

	/**
	 * What can be in the header of a request: no line ends, and each character is a byte.
	 */
	public static Arbitrary<String> headers(int longest) {
		return upTo(longest)
			.map((text) -> new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1)
				.replaceAll("[\r\n\0]", " "));
	}

	/** Long texts of one piece each. There are so few of them that all are tried. */
	public static Arbitrary<String> repeated(int length) {
		return Arbitraries.of(PIECES).map((piece) -> repeat(piece, length).substring(0, length));
	}

	private static String repeat(String piece, int length) {
		return piece.repeat(length / piece.length() + 1);
	}

	/** The text as it arrives in UTF-8, where half a character cannot be. */
	private static String sent(String text) {
		return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
	}

	/** The result of a reader, which must not take long. */
	public static <T> T inTime(Supplier<T> reader) {
		long begin = THREADS.getCurrentThreadCpuTime();
		T result = reader.get();
		assertThat((THREADS.getCurrentThreadCpuTime() - begin) / 1_000_000).as("milliseconds").isLessThan(MOST_MILLIS);
		return result;
	}

}
