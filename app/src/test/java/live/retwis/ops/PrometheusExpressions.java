package live.retwis.ops;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The metrics and labels in expressions of Prometheus.
 */
final class PrometheusExpressions {

	private static final String STRING = "\"[^\"]*\"";

	private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)");

	private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*" + STRING);

	/** A name without a bracket after it, so it is not a function. */
	private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][\\w:]*+(?!\\s*\\()");

	private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "offset", "bool");

	private PrometheusExpressions() {
	}

	/** The series that the expression reads. */
	static Set<String> metrics(String expression) {
		String bare = expression.replaceAll(STRING, "")
			.replaceAll("\\{[^}]*}|\\[[^]]*]", "")
			.replaceAll(GROUPING.pattern(), "");
		return NAME.matcher(bare)
			.results()
			.map(MatchResult::group)
			.filter((name) -> !OPERATORS.contains(name))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** The labels that the expression groups by or compares. */
	static Set<String> labels(String expression) {
		Set<String> labels = MATCHER.matcher(expression)
			.results()
			.map((matcher) -> matcher.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
		GROUPING.matcher(expression)
			.results()
			.forEach((grouping) -> labels.addAll(Set.of(grouping.group(1).strip().split("\\s*,\\s*"))));
		return labels;
	}

}
