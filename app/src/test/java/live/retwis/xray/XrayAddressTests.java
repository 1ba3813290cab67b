package live.retwis.xray;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class XrayAddressTests {

	@Test
	void theParameterIsReplacedAndEverythingElseStays() {
		assertThat(XrayAddress.leadingTo("/home", "1")).isEqualTo("/home?xray=1");
		assertThat(XrayAddress.leadingTo("/home?xray=1#post-2", "name")).isEqualTo("/home?xray=name#post-2");
		assertThat(XrayAddress.leadingTo("/search?q=a&xray=1", "2")).isEqualTo("/search?q=a&xray=2");
		assertThat(XrayAddress.without("/search?xray=1&q=a")).isEqualTo("/search?q=a");
		assertThat(XrayAddress.without("/search?q=a&xray=1&lang=zh")).isEqualTo("/search?q=a&lang=zh");
		assertThat(XrayAddress.without("/login?next=%2Fhome%3Fxray%3D1")).isEqualTo("/login?next=%2Fhome%3Fxray%3D1");
	}

	@Test
	void aRefererAsksByTheParameterOfItsQueryAlone() {
		assertThat(XrayAddress.isAsked("http://localhost:8080/home?xray=1")).isTrue();
		assertThat(XrayAddress.isAsked("https://example.org/search?q=a&xray=name#post-2")).isTrue();
		assertThat(XrayAddress.isAsked("https://example.org/home?xray=")).isFalse();
		assertThat(XrayAddress.isAsked("https://example.org/xray=1?q=a")).isFalse();
		assertThat(XrayAddress.isAsked("https://example.org/home#?xray=1")).isFalse();
		assertThat(XrayAddress.isAsked("https://example.org/home?next=?xray=1")).isFalse();
	}

}
