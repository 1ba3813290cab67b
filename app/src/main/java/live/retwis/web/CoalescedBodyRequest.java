package live.retwis.web;

import java.io.ByteArrayOutputStream;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;

/**
 * A request whose body comes in blocks of at least 4 kB, apart from the last one. It is
 * copied out of Netty's counted buffers. A client may send each byte by itself, and each
 * would take some 80 bytes of memory for as long as the form is read.
 */
class CoalescedBodyRequest extends ServerHttpRequestDecorator {

	private static final int BLOCK = 4 * 1024;

	CoalescedBodyRequest(ServerHttpRequest request) {
		super(request);
	}

	@Override
	public Flux<DataBuffer> getBody() {
		return Flux.defer(() -> {
			ByteArrayOutputStream block = new ByteArrayOutputStream();
			return super.getBody().<DataBuffer>handle((piece, blocks) -> add(piece, block, blocks))
				.concatWith(Mono.fromSupplier(() -> take(block)));
		});
	}

	private static void add(DataBuffer piece, ByteArrayOutputStream block, SynchronousSink<DataBuffer> blocks) {
		byte[] bytes = new byte[piece.readableByteCount()];
		piece.read(bytes);
		DataBufferUtils.release(piece);
		block.writeBytes(bytes);
		if (block.size() >= BLOCK) {
			blocks.next(take(block));
		}
	}

	private static DataBuffer take(ByteArrayOutputStream block) {
		byte[] bytes = block.toByteArray();
		block.reset();
		return DefaultDataBufferFactory.sharedInstance.wrap(bytes);
	}

}
