package live.retwis.doctor;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import live.retwis.account.AccountStateRepository;
import live.retwis.account.UsernameRules;
import live.retwis.doctor.StoreReader.Member;
import live.retwis.post.PostListRepository;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.search.WordRepository;
import live.retwis.tag.TrendingTags;
import live.retwis.text.HashtagRules;
import live.retwis.text.SearchWords;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * What the search finds: users are found by the words that they know of themselves. Lists
 * of the posts that have a word, and of the tags of an hour, keep their bounds and
 * expire.
 */
@Component
class SearchRules implements RuleSet {

	private static final String TRENDING = "{trending}:";

	private static final Pattern HOURS = Pattern.compile("day|\\d{1,12}");

	private final StoreReader store;

	private final ListChecks lists;

	SearchRules(StoreReader store, ListChecks lists) {
		this.store = store;
		this.lists = lists;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(new KeySchema(Keys.NAMES, SearchRules::isCharacter, "zset", this::names),
				new KeySchema(Keys.TAGS, SearchRules::isCharacter, "zset", (character) -> Flux.empty()),
				new KeySchema(Keys.word(""), SearchRules::isWord, "zset", WordRepository.LIFE,
						(word) -> this.lists.bound(Keys.word(word), PostListRepository.MOST)),
				new KeySchema(Keys.wordsOf(""), TimeSortedIdGenerator::isValid, "string", WordRepository.WORDS_KNOWN,
						(postId) -> Flux.empty()),
				new KeySchema(TRENDING, HOURS.asMatchPredicate(), "zset", TrendingTags.LIFE,
						(hour) -> this.lists.bound(TRENDING + hour, TrendingTags.MOST)),
				new KeySchema(Keys.TRENDING_COUNTED, String::isEmpty, "zset", TrendingTags.COUNTED_LIFE,
						(rest) -> this.lists.bound(Keys.TRENDING_COUNTED, TrendingTags.MOST_COUNTED)));
	}

	private static boolean isCharacter(String text) {
		return text.codePointCount(0, text.length()) == 1;
	}

	/** A pair of characters may begin with the mark of the character before it. */
	private static boolean isWord(String text) {
		String unmarked = (!text.isEmpty() && HashtagRules.isMark(text.codePointAt(0)))
				? text.substring(text.offsetByCodePoints(0, 1)) : "";
		return isWholeWord(text) || isWholeWord(unmarked);
	}

	private static boolean isWholeWord(String text) {
		return SearchWords.of(text).equals(Set.of(text)) && SearchWords.isTelling(text);
	}

	private Flux<Finding> names(String character) {
		String key = Keys.NAMES + character;
		return this.lists.members(key, (member) -> name(key, member));
	}

	/**
	 * Checks a name. If the user has deleted the account, the workers still remove it.
	 */
	private Mono<Finding> name(String key, Member member) {
		String[] parts = member.value().split(" ", 2);
		String userId = parts[parts.length - 1];
		return this.store.fields(Keys.user(userId), "username", "words", "state")
			.filter((user) -> AccountStateRepository.DELETED.equals(user.get("state"))
					|| (!UsernameRules.fold(user.getOrDefault("username", "")).equals(parts[0])
							&& !Arrays.asList(user.getOrDefault("words", "").split(" ")).contains(parts[0])))
			.filterWhen((user) -> this.store.isLost(userId).map((lost) -> !lost))
			.map((user) -> this.lists
				.wrong(key, member, "finds user " + userId + " by " + parts[0] + ", which is no name of that user")
				.afterFanOut());
	}

}
