package live.retwis.web;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Modules in one file. Browser tests show that the site's own ones work.
 */
class ScriptBundleTests {

	@Test
	void aModuleComesAfterThoseThatItImports() {
		Map<String, String> scripts = ScriptBundle.of(Map.of("site.js", """
				import { say, name as whose } from "./to-people.js";
				import texts from "./texts.js";
				say(texts[whose]);
				""", "to-people.js", """
				export const name = "a";
				export async function say(text) {}
				""", "texts.js", "export default {\"a\":\"b\"};\n"));
		assertThat(scripts).containsOnlyKeys("site.js").containsValue("""
				const $to_people = (() => {
				const name = "a";
				async function say(text) {}
				return { name, say };
				})();
				const $texts = (() => {
				const $default = {"a":"b"};
				return { default: $default };
				})();
				const $site = (() => {
				const { say, name: whose } = $to_people;
				const { default: texts } = $texts;
				say(texts[whose]);
				return {  };
				})();
				""");
	}

	@Test
	void eachScriptHasItsOwnCopyOfASharedModule() {
		assertThat(ScriptBundle.of(Map.of("a.js", "import { x } from \"./x.js\";\n", "b.js",
				"import { x } from \"./x.js\";\n", "x.js", "export const x = 1;\n")))
			.containsOnlyKeys("a.js", "b.js")
			.allSatisfy((name, script) -> assertThat(script).containsOnlyOnce("const x = 1;"));
	}

	@Test
	void whatIsWrittenInAnotherWayIsRefusedByName() {
		assertThatIllegalStateException().isThrownBy(() -> ScriptBundle.of(Map.of("a.js", "export let x = 1;\n")))
			.withMessageContaining("static/a.js")
			.withMessageContaining("export let x = 1;");
		assertThatIllegalStateException()
			.isThrownBy(() -> ScriptBundle.of(Map.of("a.js", "import \"./b.js\";\n", "b.js", "")))
			.withMessageContaining("static/a.js");
	}

	@Test
	void aNameThatAModuleDeclaresTwiceIsRefused() {
		assertThatIllegalStateException()
			.isThrownBy(() -> ScriptBundle.of(Map.of("a.js", "const x = 1;\nexport function x() {}\n")))
			.withMessageContaining("static/a.js: x is declared twice");
	}

	@Test
	void aMissingModuleAndACircleAreRefusedByName() {
		assertThatIllegalStateException()
			.isThrownBy(() -> ScriptBundle.of(Map.of("a.js", "import { x } from \"./gone.js\";\n")))
			.withMessageContaining("static/gone.js is imported but missing");
		assertThatIllegalStateException()
			.isThrownBy(() -> ScriptBundle.of(Map.of("a.js", "import { x } from \"./b.js\";\n", "b.js",
					"import { x } from \"./c.js\";\n", "c.js", "import { x } from \"./b.js\";\n")))
			.withMessageContaining("imports itself");
	}

}
