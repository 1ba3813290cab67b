package live.retwis.redis;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.CompleteableCommand;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.tracing.TraceContext;
import io.lettuce.core.tracing.TraceContextProvider;
import io.lettuce.core.tracing.Tracer;
import io.lettuce.core.tracing.TracerProvider;
import io.lettuce.core.tracing.Tracing;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * The one place at which commands are seen on their way to the data node: Lettuce's own
 * tracing. Lettuce asks it on the thread that writes the command into the connection, so
 * the order of one connection is the order in which its node gets the commands. A request
 * has a {@link CommandRecorder} or none; most have none, and then a command costs a look
 * for it.
 */
final class CommandTracing extends Tracer implements Tracing {

	/** Most arguments that a recorder is told of. */
	static final int MOST = 200;

	/** Most bytes of one argument that a recorder is told of. */
	private static final int LONGEST = 2_048;

	/** The same of a script's text, by which the script is recognised. */
	private static final int LONGEST_SCRIPT = 65_536;

	private static final Span NONE = new NoSpan();

	@Override
	public TracerProvider getTracerProvider() {
		return () -> this;
	}

	/**
	 * The recorder of the running request. Lettuce asks for it on the thread that sends
	 * the command, unless the command's Reactor context has a recorder.
	 */
	@Override
	public TraceContextProvider initialTraceContextProvider() {
		Traced current = CommandRecorderContext.current();
		return (current != null) ? current : Traced.NOBODY;
	}

	@Override
	public boolean isEnabled() {
		return true;
	}

	@Override
	public boolean includeCommandArgsInSpanTags() {
		return false;
	}

	@Override
	public Endpoint createEndpoint(SocketAddress address) {
		return new Node((address instanceof InetSocketAddress at) ? at.getHostString() + ":" + at.getPort()
				: String.valueOf(address));
	}

	@Override
	public Span nextSpan() {
		return NONE;
	}

	@Override
	public Span nextSpan(@Nullable TraceContext context) {
		return (context instanceof Traced traced && traced.recorder() != null) ? new Recorded(traced.recorder()) : NONE;
	}

	/**
	 * The recorder of a request, in the form in which Lettuce carries it.
	 *
	 * @param recorder null for a request without one
	 */
	record Traced(@Nullable CommandRecorder recorder) implements TraceContextProvider, TraceContext {

		/** Under this key Lettuce looks for it in a Reactor context. */
		static final Object KEY = TraceContextProvider.class;

		static final Traced NOBODY = new Traced(null);

		@Override
		public TraceContext getTraceContext() {
			return this;
		}

	}

	private record Node(String name) implements Endpoint {
	}

	/** One command of a request that has a recorder. */
	private static final class Recorded extends NoSpan {

		private final CommandRecorder recorder;

		private String node = "";

		Recorded(CommandRecorder recorder) {
			this.recorder = recorder;
		}

		@Override
		public Span remoteEndpoint(Endpoint endpoint) {
			this.node = (endpoint instanceof Node known) ? known.name() : "";
			return this;
		}

		@Override
		public Span start(RedisCommand<?, ?, ?> command) {
			List<String> arguments = arguments(command.getArgs(), command.getType() == CommandType.EVAL);
			int shown = Math.min(arguments.size(), MOST);
			CommandRecorder.Answer answer = this.recorder.sent(command.getType().toString().toUpperCase(Locale.ROOT),
					arguments.subList(0, shown), arguments.size() - shown, this.node, command::isDone);
			if (command instanceof CompleteableCommand<?> completeable) {
				completeable.onComplete((value, error) -> {
					CommandOutput<?, ?, ?> output = command.getOutput();
					boolean failed = error != null || (output != null && output.hasError());
					Object got = (failed || output == null) ? null : output.get();
					answer.arrived(ReplyTimestamps.ofThisThread(), failed ? -1 : elements(got),
							failed ? -1 : bytes(got), failed);
				});
			}
			return this;
		}

		private static List<String> arguments(@Nullable CommandArgs<?, ?> args, boolean script) {
			if (args == null || args.count() == 0) {
				return List.of();
			}
			ByteBuf encoded = Unpooled.buffer();
			args.encode(encoded);
			List<String> all = new ArrayList<>(args.count());
			while (encoded.isReadable()) {
				all.add(next(encoded, (script && all.isEmpty()) ? LONGEST_SCRIPT : LONGEST));
			}
			return all;
		}

		/**
		 * Reads a text in the form of the protocol: its length in bytes, then the text.
		 */
		private static String next(ByteBuf encoded, int longest) {
			encoded.skipBytes(1);
			int length = 0;
			for (byte digit = encoded.readByte(); digit != '\r'; digit = encoded.readByte()) {
				length = 10 * length + (digit - '0');
			}
			encoded.skipBytes(1);
			int shown = Math.min(length, longest);
			String text = encoded.toString(encoded.readerIndex(), shown, StandardCharsets.UTF_8);
			encoded.skipBytes(length + 2);
			return (shown < length) ? text + "…" : text;
		}

		private static int elements(@Nullable Object value) {
			return (value == null) ? 0 : (value instanceof Collection<?> many) ? many.size() : 1;
		}

		private static long bytes(@Nullable Object value) {
			if (value instanceof Collection<?> many) {
				long sum = 0;
				for (Object one : many) {
					sum += bytes(one);
				}
				return sum;
			}
			return (value == null) ? 0 : (value instanceof java.nio.ByteBuffer buffer) ? buffer.remaining()
					: String.valueOf(value).length();
		}

	}

	/** A command that nobody records. */
	private static class NoSpan extends Span {

		@Override
		public Span start(RedisCommand<?, ?, ?> command) {
			return this;
		}

		@Override
		public Span name(String name) {
			return this;
		}

		@Override
		public Span annotate(String value) {
			return this;
		}

		@Override
		public Span tag(String key, String value) {
			return this;
		}

		@Override
		public Span error(Throwable throwable) {
			return this;
		}

		@Override
		public Span remoteEndpoint(Endpoint endpoint) {
			return this;
		}

		@Override
		public void finish() {
			// The answer is told by the command itself.
		}

	}

}
