package live.retwis.search;

import java.util.Set;

import live.retwis.account.UserSearchIndex;
import live.retwis.fanout.LogEntryProcessor;
import live.retwis.log.LogEntry;
import live.retwis.removal.RemovalStep;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Lets users be found by their new names, and by none when they have deleted their
 * accounts.
 */
@Component
@Order(RemovalStep.LAST)
class DisplayNameIndexer implements LogEntryProcessor, RemovalStep {

	private final UserSearchIndex names;

	DisplayNameIndexer(UserSearchIndex names) {
		this.names = names;
	}

	@Override
	public Set<LogEntry.Type> types() {
		return Set.of(LogEntry.Type.PROFILE);
	}

	@Override
	public Mono<Void> apply(LogEntry entry) {
		return this.names.renamed(entry.user());
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return this.names.remove(userId).thenReturn(true);
	}

}
