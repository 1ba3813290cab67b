package live.retwis.lab;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import live.retwis.locks.lab.RunRequest;
import live.retwis.locks.lab.design.RedlockDesign;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.scenario.ScenarioTheme;
import live.retwis.testing.HostileText;
import live.retwis.web.SubmittedForm;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import org.springframework.http.MediaType;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.ServerRequest;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever comes as the design of a lock, and as a run of the lab. */
class LabFormFuzzTests {

	private static final Map<String, String> GOOD = Map.of("nodes", "5", "quorum", "3", "order", "one-by-one", "vote",
			"second-look", "validity", "yes", "drift", "yes", "clock", "steady", "release", "own-key", "fence",
			"owner");

	private static final Map<String, String> RUN = Map.of("scenario", "1", "nodes", "5", "lease", "1000",
			"node_timeout", "50", "seed", "7", "rounds", "2", "fence", "engine", "by_hand", "");

	private static final int MOST_ROUNDS = 100;

	/** Made once: it runs a compiler. */
	private static final LabScenarios SCENARIOS = new LabScenarios();

	@Provide
	Arbitrary<String> texts() {
		return HostileText.upTo(2_000);
	}

	@Provide
	Arbitrary<String> fields() {
		return Arbitraries.of(GOOD.keySet());
	}

	@Property
	void aDesignIsOneThatCanBeBuiltOrAbsent(@ForAll("texts") String text, @ForAll("fields") String field) {
		assertThat(LockDesignForm.find((name) -> GOOD.getOrDefault(name, ""))).isPresent();
		Optional<RedlockDesign> design = HostileText
			.inTime(() -> LockDesignForm.find((name) -> name.equals(field) ? text : GOOD.getOrDefault(name, "")));
		design.ifPresent((built) -> {
			assertThat(built.quorum()).isBetween(1, built.nodes());
			assertThat(LockDesignForm.query(built)).matches("[a-z0-9=&-]+");
		});
	}

	/** Of a run: numbers around their bounds as well, and what the lab has. */
	@Provide
	Arbitrary<String> values() {
		return Arbitraries.oneOf(texts(), Arbitraries.longs().between(-10, 6_000).map(String::valueOf),
				Arbitraries.longs().map(String::valueOf),
				Arbitraries.of(ScenarioTheme.values()).flatMap((theme) -> Arbitraries.of(theme.numbers())),
				Arbitraries.just("free-play"));
	}

	@Provide
	Arbitrary<String> runFields() {
		return Arbitraries.of(RUN.keySet());
	}

	@Provide
	Arbitrary<List<String>> engines() {
		return Arbitraries.oneOf(Arbitraries.of(LabEngine.values()).map(LabEngine::label), HostileText.upTo(100))
			.list()
			.ofMaxSize(4);
	}

	@Property
	void aRunIsOneThatCanBePlayedOrTheFormSaysWhatIsWrong(@ForAll("values") String text,
			@ForAll("runFields") String field, @ForAll("engines") List<String> engines) {
		MultiValueMap<String, String> fields = new LinkedMultiValueMap<>();
		RUN.forEach((name, value) -> fields.add(name, name.equals(field) ? text : value));
		engines.forEach((engine) -> fields.add("engine", engine));
		SubmittedForm sent = sent(fields);
		LabForm form = HostileText.inTime(() -> LabForm.of(sent, SCENARIOS, MOST_ROUNDS));
		assertThat(form.engines()).isEqualTo(engines);
		if (form.isRight()) {
			RunRequest run = form.order(SCENARIOS.find(form.scenario().value()).orElseThrow());
			assertThat(run.engines()).extracting(LabEngine::label).isEqualTo(engines);
			assertThat(run.engines().size() * run.rounds()).isBetween(1, MOST_ROUNDS);
		}
		else {
			Map.of("nodes", form.nodes(), "lease", form.lease(), "node_timeout", form.nodeTimeout(), "seed",
					form.seed(), "rounds", form.rounds())
				.forEach((name, shown) -> assertThat(shown.error() == null || shown.value().equals(sent.get(name)))
					.as("what was typed as %s stays", name)
					.isTrue());
		}
	}

	private static SubmittedForm sent(MultiValueMap<String, String> fields) {
		String body = fields.entrySet()
			.stream()
			.flatMap((field) -> field.getValue()
				.stream()
				.map((value) -> field.getKey() + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)))
			.collect(Collectors.joining("&"));
		MockServerWebExchange exchange = MockServerWebExchange.from(
				MockServerHttpRequest.post("/lab/runs").contentType(MediaType.APPLICATION_FORM_URLENCODED).body(body));
		return SubmittedForm.of(ServerRequest.create(exchange, List.of())).blockOptional().orElseThrow();
	}

}
