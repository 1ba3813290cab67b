package live.retwis.search;

import live.retwis.account.UserSearchIndex;
import live.retwis.removal.RemovalStep;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Removes the words by which the user was found. */
@Component
@Order(RemovalStep.LAST)
class NamesRemovalStep implements RemovalStep {

	private final UserSearchIndex names;

	NamesRemovalStep(UserSearchIndex names) {
		this.names = names;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return this.names.remove(userId).thenReturn(true);
	}

}
