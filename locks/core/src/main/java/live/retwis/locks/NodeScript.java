package live.retwis.locks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.command.CommandAsyncExecutor;

/**
 * The scripts that run on a node. Each is in a file of its name, and answers 1 or 0.
 */
enum NodeScript {

	/** Takes the key if nobody has it. */
	ACQUIRE,

	/** Raises the time to live of the owner's key. Never lowers it. */
	EXTEND,

	/** Deletes the owner's key. */
	RELEASE;

	private final String text;

	NodeScript() {
		try (InputStream file = NodeScript.class.getResourceAsStream(name().toLowerCase(Locale.ROOT) + ".lua")) {
			this.text = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8).lines()
				.filter((line) -> !line.startsWith("--"))
				.collect(Collectors.joining("\n"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	CompletionStage<Boolean> run(CommandAsyncExecutor node, CandidateOwner candidate) {
		return node.syncedEvalNoRetry(candidate.key(), StringCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN, this.text,
				List.of(candidate.key()), candidate.owner(), candidate.leaseMillis());
	}

}
