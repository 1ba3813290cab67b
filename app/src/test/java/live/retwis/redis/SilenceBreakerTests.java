package live.retwis.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SilenceBreakerTests {

	private final EmbeddedChannel connection = new EmbeddedChannel(new SilenceBreaker(Duration.ofSeconds(4)));

	@BeforeEach
	void stopTheClock() {
		this.connection.freezeTime();
	}

	private void pass(int millis) {
		this.connection.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
		this.connection.runScheduledPendingTasks();
	}

	@Test
	void closesAConnectionWhoseNodeOwesAnAnswerForTooLong() {
		this.connection.writeOutbound("command");
		pass(3_999);
		assertThat(this.connection.isActive()).isTrue();
		pass(1);
		assertThat(this.connection.isActive()).isFalse();
	}

	@Test
	void commandsThatAreSentMeanwhileDoNotPutItOff() {
		this.connection.writeOutbound("command");
		pass(3_000);
		this.connection.writeOutbound("another");
		pass(1_000);
		assertThat(this.connection.isActive()).isFalse();
	}

	@Test
	void anAnswerStartsTheTimeAnew() {
		this.connection.writeOutbound("command");
		pass(3_000);
		this.connection.writeInbound("answer");
		this.connection.writeOutbound("another");
		pass(3_999);
		assertThat(this.connection.isActive()).isTrue();
		pass(1);
		assertThat(this.connection.isActive()).isFalse();
	}

	@Test
	void nothingIsOwedOnAQuietConnection() {
		this.connection.writeOutbound("command");
		this.connection.writeInbound("answer");
		pass(100_000);
		assertThat(this.connection.isActive()).isTrue();
		this.connection.writeOutbound("later");
		pass(3_999);
		assertThat(this.connection.isActive()).isTrue();
		pass(1);
		assertThat(this.connection.isActive()).isFalse();
	}

}
