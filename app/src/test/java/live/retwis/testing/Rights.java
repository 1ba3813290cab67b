package live.retwis.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;

/**
 * What users of Redis may do, as {@code src/ops/redis} says.
 */
public enum Rights {

	/** The site on the data node. */
	DATA,

	/** The site on a lock node. */
	LOCKS;

	/** Who has them, with {@link #PASSWORD}. */
	public static final String USER = "retwis";

	public static final String PASSWORD = "secret";

	/** Where they stand. */
	public Path file() {
		return Path.of("src", "ops", "redis", name().toLowerCase(Locale.ROOT) + ".acl");
	}

	/** Their rules, such as {@code +get}. */
	public List<String> rules() {
		try {
			return List.of(Files.readString(file()).strip().split(" +"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The commands among them, such as {@code xgroup|create}. */
	public List<String> commands() {
		return rules().stream().filter((rule) -> rule.startsWith("+")).map((rule) -> rule.substring(1)).toList();
	}

	/** Makes their user on a server, who has these rights too. */
	public void grantAt(String host, int port, String... more) {
		RedisClient client = RedisClient.create(RedisURI.create(host, port));
		try {
			setUser(client.connect().sync(), USER, Stream.concat(rules().stream(), Stream.of(more)).toList());
		}
		finally {
			client.shutdown();
		}
	}

	/** Makes a user, or changes one. */
	public static void setUser(RedisCommands<String, String> redis, String name, List<String> rules) {
		CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8).add("SETUSER").add(name).add("on");
		Stream.concat(Stream.of(">" + PASSWORD), rules.stream()).forEach(args::add);
		redis.dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
	}

}
