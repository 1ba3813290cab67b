package live.retwis.locks;

import java.util.function.Function;

import reactor.core.publisher.Mono;

/**
 * Registers of which a test decides what a claim does.
 */
final class TestFences {

	private TestFences() {
	}

	/** One that renews whatever it is asked to, by another claim. */
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
