package live.retwis.ops;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The dashboard, the alerts and the operators' page name only metrics that exist.
 */
@SuppressWarnings("NullAway.Init")
class DashboardTests {

	private static final Path OPS = Path.of("src/ops");

	/** Labels that Prometheus adds, or that every histogram has. */
	private static final Set<String> GIVEN = Set.of("instance", "job");

	private static String scraped;

	/** Does what visitors do, so that all metrics exist. */
	@BeforeAll
	static void use() {
		Site site = Site.shared();
		Visitor author = Visitor.registered(site);
		try (EventStream stream = author.open("/live/home")) {
			stream.awaitPost(author.post("watch this"));
		}
		System.gc();
		Visitor operator = Visitor.ofManagement(site);
		scraped = Awaitility.await("the first collection to be told")
			.atMost(Duration.ofSeconds(20))
			.until(() -> operator.get("/actuator/prometheus").body(), (text) -> text.contains("jvm_gc_pause_seconds_"));
	}

	private static Set<String> found(String regex, String text) {
		return Pattern.compile(regex)
			.matcher(text)
			.results()
			.map((result) -> result.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static void assertKnown(String expression) {
		Set<String> metrics = PrometheusExpressions.metrics(expression);
		metrics.remove("up");
		assertThat(found("(?m)^(\\w+)[{ ]", scraped)).as(expression).containsAll(metrics);
		Set<String> labels = PrometheusExpressions.labels(expression);
		labels.removeAll(GIVEN);
		assertThat(found("[{,](\\w+)=\"", scraped)).as(expression).containsAll(labels);
	}

	private static JsonNode dashboard() throws IOException {
		return JsonMapper.shared().readTree(Files.readString(OPS.resolve("grafana/dashboards/retwis-live.json")));
	}

	private static List<JsonNode> panels() throws IOException {
		return dashboard().get("panels")
			.valueStream()
			.filter((panel) -> !panel.get("type").asString().equals("row"))
			.toList();
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> yaml(String file) throws IOException {
		return (Map<String, Object>) new Yaml().load(Files.readString(OPS.resolve(file)));
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> list(Map<String, Object> in, String name) {
		return (List<Map<String, Object>>) Objects.requireNonNull(in.get(name));
	}

	@Test
	void metricsAndLabelsAreFoundInAnExpression() {
		String expression = "histogram_quantile(0.9, sum by (le, kind) (rate(a_bucket{b=\"c_d\",e!~\"f\"}[5m]))) > 1 or g";
		assertThat(PrometheusExpressions.metrics(expression)).containsExactly("a_bucket", "g");
		assertThat(PrometheusExpressions.labels(expression)).containsExactly("b", "e", "kind", "le");
	}

	@Test
	void everyPanelShowsExistingMetrics() throws IOException {
		List<JsonNode> panels = panels();
		assertThat(panels).hasSizeGreaterThan(20);
		for (JsonNode panel : panels) {
			assertThat(panel.get("targets")).isNotEmpty().allSatisfy((target) -> {
				assertThat(PrometheusExpressions.metrics(target.get("expr").asString())).isNotEmpty();
				assertKnown(target.get("expr").asString());
			});
		}
	}

	@Test
	void everyPanelHasATitleAUnitItsOwnPlaceAndTheProvisionedSource() throws IOException {
		Object source = list(yaml("grafana/provisioning/datasources/prometheus.yml"), "datasources").get(0).get("uid");
		Set<String> places = new TreeSet<>();
		Set<Integer> ids = new TreeSet<>();
		for (JsonNode panel : dashboard().get("panels")) {
			assertThat(ids.add(panel.get("id").asInt())).isTrue();
			assertThat(panel.get("title").asString()).isNotBlank();
			JsonNode at = panel.get("gridPos");
			assertThat(at.get("x").asInt() + at.get("w").asInt()).isLessThanOrEqualTo(24);
			for (int x = 0; x < at.get("w").asInt(); x++) {
				for (int y = 0; y < at.get("h").asInt(); y++) {
					assertThat(places.add((at.get("x").asInt() + x) + "," + (at.get("y").asInt() + y)))
						.as("a place of its own for " + panel.get("title").asString())
						.isTrue();
				}
			}
		}
		for (JsonNode panel : panels()) {
			assertThat(panel.at("/fieldConfig/defaults/unit").asString()).isNotBlank();
			assertThat(panel.at("/datasource/uid").asString()).isEqualTo(source);
		}
		assertThat(dashboard().at("/templating/list/0/name").asString()).isEqualTo("instance");
		assertKnown(
				found("label_values\\((\\w+),", dashboard().at("/templating/list/0/definition").asString()).iterator()
					.next());
	}

	/** What a part that dies looks like is told by the titles of panels. */
	@Test
	void theOperatorsPageNamesOnlyPanelsThatExist() throws IOException {
		Set<String> named = new TreeSet<>();
		for (String row : section("### What fails, and what to do").split("\n")) {
			String[] cells = row.split(" \\| ");
			named.addAll(found("`([^`]+)`", (cells.length == 4) ? cells[2] : ""));
		}
		assertThat(named).hasSizeGreaterThan(5)
			.isSubsetOf(panels().stream().map((panel) -> panel.get("title").asString()).toList());
	}

	@Test
	void everyAlertUsesExistingMetricsAndSaysWhatToDo() throws IOException {
		List<Map<String, Object>> rules = new ArrayList<>();
		list(yaml("prometheus/alerts.yml"), "groups").forEach((group) -> rules.addAll(list(group, "rules")));
		assertThat(rules).hasSizeGreaterThanOrEqualTo(8);
		String section = section("## Watching it");
		for (Map<String, Object> rule : rules) {
			assertKnown(String.valueOf(rule.get("expr")));
			assertThat(rule.get("labels")).asString().containsPattern("severity=(critical|warning)");
			assertThat(rule.get("annotations")).asString().contains("summary=");
			assertThat(section).contains("`" + rule.get("alert") + "`");
		}
	}

	@Test
	void everyFileThatPrometheusReadsExists() throws IOException {
		Map<String, Object> config = yaml("prometheus/prometheus.yml");
		assertThat((List<?>) config.get("rule_files"))
			.allSatisfy((file) -> assertThat(OPS.resolve("prometheus").resolve(String.valueOf(file))).exists());
		assertThat(list(config, "scrape_configs").get(0)).containsEntry("metrics_path", "/actuator/prometheus");
	}

	@Test
	void theOperatorsPageListsExactlyTheMetricsOfTheSite() throws IOException {
		Set<String> told = found("`(retwis_[a-z_]+)`", section("## Watching it"));
		Set<String> there = found("(?m)^# TYPE (retwis_\\w+) ", scraped);
		there.removeIf((name) -> name.endsWith("_max") && there.contains(name.substring(0, name.length() - 4)));
		assertThat(told).isEqualTo(there);
	}

	/** A section of the operators' page, to the next heading. */
	private static String section(String heading) throws IOException {
		String page = Files.readString(Path.of("src/docs/operate.md"));
		return Pattern.compile("(?s)\n" + heading + "\n(.*?)\n##")
			.matcher(page)
			.results()
			.map((section) -> section.group(1))
			.findFirst()
			.orElseThrow();
	}

}
