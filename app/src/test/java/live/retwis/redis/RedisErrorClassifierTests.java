package live.retwis.redis;

import java.io.IOException;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.PartitionSelectorException;
import io.lettuce.core.cluster.models.partitions.Partitions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Exceptions;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;

import static org.assertj.core.api.Assertions.assertThat;

class RedisErrorClassifierTests {

	@Test
	void aNodeThatCannotBeReachedOrDoesNotAnswerIsAway() {
		assertThat(RedisErrorClassifier.isAway(new RedisCommandTimeoutException())).isTrue();
		assertThat(RedisErrorClassifier.isAway(new IOException("Connection reset by peer"))).isTrue();
		assertThat(RedisErrorClassifier.isAway(new IllegalStateException(new IOException("Broken pipe")))).isTrue();
	}

	@Test
	void aClusterSlotWithoutAMasterIsAway() {
		assertThat(RedisErrorClassifier
			.isAway(new PartitionSelectorException("Cannot determine a partition", new Partitions()))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "CLUSTERDOWN The cluster is down", "READONLY You can't write against a read only replica.",
			"LOADING Redis is loading the dataset in memory", "NOREPLICAS Not enough good replicas to write.",
			"MOVED 8000 127.0.0.1:7002", "ASK 8000 127.0.0.1:7002",
			"UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)" })
	void aNodeThatCannotServeNowIsAway(String answer) {
		assertThat(RedisErrorClassifier.isAway(new RedisCommandExecutionException(answer))).isTrue();
	}

	@Test
	void ofSeveralErrorsOneThatSaysThatANodeIsAwayIsEnough() {
		Throwable wrong = new RedisCommandExecutionException("WRONGTYPE Operation against a key");
		Throwable both = Exceptions.multiple(wrong, Exceptions.multiple(wrong, new RedisCommandTimeoutException()));
		assertThat(RedisErrorClassifier.isAway(both)).isTrue();
		assertThat(RedisErrorClassifier.isWrongType(both)).isFalse();
		assertThat(RedisErrorClassifier.isAway(Exceptions.multiple(wrong, wrong))).isFalse();
		assertThat(RedisErrorClassifier.isWrongType(Exceptions.multiple(wrong, wrong))).isTrue();
	}

	@Test
	void aWrongCommandDoesNotCountAsAway() {
		assertThat(RedisErrorClassifier.isAway(new RedisCommandExecutionException("ERR wrong number of arguments")))
			.isFalse();
		assertThat(RedisErrorClassifier.isAway(new IllegalStateException("a bug"))).isFalse();
		assertThat(RedisErrorClassifier.isAway(null)).isFalse();
	}

	@Test
	void whatSpringDataTranslatesIsTheSame() {
		assertThat(
				RedisErrorClassifier.isAway(new RedisConnectionFailureException("The data node has not answered yet")))
			.isTrue();
		assertThat(RedisErrorClassifier.isAway(new QueryTimeoutException("Redis command timed out"))).isTrue();
		assertThat(RedisErrorClassifier.isAway(translated(new RedisException("Currently not connected")))).isTrue();
		assertThat(
				RedisErrorClassifier.isAway(translated(new RedisCommandExecutionException("TRYAGAIN Multiple keys"))))
			.isTrue();
		assertThat(RedisErrorClassifier.isAway(translated(new RedisCommandExecutionException("WRONGTYPE Operation"))))
			.isFalse();
	}

	@Test
	void theReasonIsWhatRedisSaid() {
		RedisCommandExecutionException refusal = new RedisCommandExecutionException("NOPERM this user");
		assertThat(RedisErrorClassifier.reason(translated(refusal))).isSameAs(refusal);
		IllegalStateException ours = new IllegalStateException("a bug", refusal);
		assertThat(RedisErrorClassifier.reason(ours)).isSameAs(ours);
	}

	private static RedisSystemException translated(RedisException error) {
		return new RedisSystemException("Error in execution", error);
	}

}
