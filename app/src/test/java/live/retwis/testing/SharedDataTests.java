package live.retwis.testing;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class SharedDataTests {

	@Test
	void theSharedSiteRunsOnAClusterExactlyWhenToldTo() {
		boolean cluster = System.getProperty("retwis.tests.data", "single").equals("cluster");
		Site site = Site.shared();
		assertThat(site.bean(LettuceConnectionFactory.class).isClusterAware()).isEqualTo(cluster);
		assertThat(site.redis().info("cluster")).contains("cluster_enabled:" + (cluster ? 1 : 0));
	}

}
