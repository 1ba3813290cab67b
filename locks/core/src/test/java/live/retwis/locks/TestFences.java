package live.retwis.locks;

import java.util.function.Function;

import reactor.core.publisher.Mono;

/**
 * Fence registers whose claims are decided by a test.
 */
final class TestFences {

	private TestFences() {
	}

	/** A register with the given claim. A renewal always succeeds. */
	static FenceRegister claiming(Function<Lease, Mono<Void>> claim) {
		return new FenceRegister() {
			@Override
			public Mono<Void> claim(Lease lease) {
				return claim.apply(lease);
			}

			@Override
			public Mono<Boolean> renew(Lease lease) {
				return claim(lease).thenReturn(true);
			}
		};
	}

}
