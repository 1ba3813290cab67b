package live.retwis.web;

import java.net.InetSocketAddress;

import io.netty.util.NetUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What counts as one client. */
class RateLimitAddressTests {

	@ParameterizedTest
	@CsvSource({ "203.0.113.7, 203.0.113.7", "::ffff:203.0.113.7, 203.0.113.7",
			"2001:db8:0:1:2:3:4:5, 2001:db8:0:1::/64", "2001:db8:0:1:ffff::, 2001:db8:0:1::/64",
			"2001:db8:0:2::1, 2001:db8:0:2::/64", "::1, ::/64" })
	void allAddressesOfAnIpv6NetworkAreOneClientAndMappedAddressesAreIpv4(String address, String client) {
		assertThat(
				RateLimitAddress.of(new InetSocketAddress(NetUtil.createInetAddressFromIpAddressString(address), 4711)))
			.isEqualTo(client);
	}

	@Test
	void aClosedConnectionHasNoAddress() {
		assertThat(RateLimitAddress.of((InetSocketAddress) null)).isEqualTo("unknown");
		assertThat(RateLimitAddress.of(InetSocketAddress.createUnresolved("site", 80))).isEqualTo("unknown");
	}

}
