package live.retwis.search;

import java.util.Set;

import live.retwis.account.UserSearchIndex;
import live.retwis.fanout.LogEntryProcessor;
import live.retwis.log.LogEntry;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Lets users be found by their new names. */
@Component
class DisplayNameIndexer implements LogEntryProcessor {

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

}
