package live.retwis.xray;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** What X-ray keeps in memory of a form. */
class FormRecordingSecretsTests {

	@Test
	void whatIsKeptOfAFormHasNoPassword() {
		Recording recording = new Recording(new Redaction(new KnownScripts(), List.of("my secret password")));
		recording.end();
		FormRecordings forms = new FormRecordings();
		Recording kept = forms.find(forms.keep(recording, Optional.empty()), Optional.empty()).orElseThrow();
		assertThat(ReflectionTestUtils.getField(kept, "redaction")).as("what knows the secrets").isNull();
	}

}
