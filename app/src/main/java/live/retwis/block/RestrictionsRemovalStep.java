package live.retwis.block;

import live.retwis.removal.RemovalStep;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Removes the lists of the users whom the user has muted and blocked. */
@Component
@Order(RemovalStep.LAST)
class RestrictionsRemovalStep implements RemovalStep {

	private final RestrictionRepository restrictions;

	RestrictionsRemovalStep(RestrictionRepository restrictions) {
		this.restrictions = restrictions;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return this.restrictions.forget(userId).thenReturn(true);
	}

}
