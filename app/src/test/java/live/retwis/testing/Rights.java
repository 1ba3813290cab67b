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

/** The rights of the site's Redis users, read from {@code src/ops/redis}. */
public enum Rights {

	/** The site's rights on the data node. */
	DATA,

	/** The site's rights on a lock node. */
	LOCKS;

	/** The user with these rights. Its password is {@link #PASSWORD}. */
	public static final String USER = "retwis";

	public static final String PASSWORD = "secret";

	/** The file with these rights. */
	public Path file() {
		return Path.of("src", "ops", "redis", name().toLowerCase(Locale.ROOT) + ".acl");
	}

	/** The rules of the user, such as {@code +get}. */
	public List<String> rules() {
		try {
			return List.of(Files.readString(file()).strip().split(" +"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The commands that the rules allow, such as {@code xgroup|create}. */
	public List<String> commands() {
		return rules().stream().filter((rule) -> rule.startsWith("+")).map((rule) -> rule.substring(1)).toList();
	}

	/**
	 * Creates the user on a server.
	 * @param more rules in addition to those in the file
	 */
	public void grantAt(String host, int port, String... more) {
		RedisClient client = RedisClient.create(RedisURI.create(host, port));
		try {
			setUser(client.connect().sync(), USER, Stream.concat(rules().stream(), Stream.of(more)).toList());
		}
		finally {
			client.shutdown();
		}
	}

	/** Creates or changes a user. */
	public static void setUser(RedisCommands<String, String> redis, String name, List<String> rules) {
		CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8).add("SETUSER").add(name).add("on");
		Stream.concat(Stream.of(">" + PASSWORD), rules.stream()).forEach(args::add);
		redis.dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
	}

}
