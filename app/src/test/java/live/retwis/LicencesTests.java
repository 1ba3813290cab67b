package live.retwis;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * The licences of the libraries in the jar, by its bill of materials. Maven makes none
 * when it is offline.
 */
class LicencesTests {

	/** A library may have more licences; whoever uses it chooses one. */
	private static final Set<String> ALLOWED = Set.of("Apache-2.0", "MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause",
			"The (New) BSD License", "EPL-2.0", "MPL-2.0", "CC0-1.0");

	@Test
	void everyLibraryHasALicenceThatAllowsToPassItOn() throws IOException {
		List<JsonNode> libraries = libraries();
		assertThat(libraries).hasSizeGreaterThan(50);
		assertThat(libraries.stream()
			.filter((library) -> !"live.retwis".equals(library.path("group").asString()))
			.filter((library) -> licences(library).stream().noneMatch(ALLOWED::contains))
			.map((library) -> library.path("name").asString() + " " + licences(library))).isEmpty();
	}

	private static List<JsonNode> libraries() throws IOException {
		ClassPathResource materials = new ClassPathResource("META-INF/sbom/application.cdx.json");
		assumeThat(materials.exists()).as("made online").isTrue();
		return list(JsonMapper.shared().readTree(materials.getContentAsByteArray()).path("components"));
	}

	private static List<String> licences(JsonNode library) {
		return list(library.path("licenses")).stream()
			.map((licence) -> licence.path("license"))
			.map((licence) -> licence.path("id").asString(licence.path("name").asString()))
			.toList();
	}

	private static List<JsonNode> list(JsonNode array) {
		return StreamSupport.stream(array.spliterator(), false).toList();
	}

}
