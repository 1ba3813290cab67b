package live.retwis.post;

import java.util.Map;

import live.retwis.account.User;
import live.retwis.account.UserRepository;
import live.retwis.account.UsernameRepository;
import live.retwis.account.UsernameRules;
import live.retwis.text.ParsedPostText;
import live.retwis.web.LanguageFreeTemplate;
import live.retwis.web.Templates;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Renders posts as articles, which are the same for all readers. */
@Component
class ArticleRenderer {

	private final LanguageFreeTemplate article;

	private final LanguageFreeTemplate repost;

	private final UserRepository users;

	private final UsernameRepository usernames;

	ArticleRenderer(Templates templates, UserRepository users, UsernameRepository usernames) {
		this.article = templates.languageFree("partials/post");
		this.repost = templates.languageFree("partials/repost");
		this.users = users;
		this.usernames = usernames;
	}

	/**
	 * Renders a post. It looks up the author, for name and picture, and the users whom
	 * the post mentions, because only mentions of users who exist are links. Somebody who
	 * registers later gets a link when the post is rendered again. Of a repost, the
	 * markup is only the line that goes into the article of its original.
	 */
	Mono<RenderedPost> render(Post post, EngagementCounts counts) {
		if (post.repostOf() != null) {
			return Mono
				.just(new RenderedPost(post, AuthorView.unknown(post), counts, Map.of(), this.repost.execute(post)));
		}
		ParsedPostText text = ParsedPostText.of(post.body());
		Mono<AuthorView> author = this.users.findById(post.authorId())
			.map(AuthorView::of)
			.defaultIfEmpty(AuthorView.unknown(post));
		Mono<Map<String, String>> mentioned = Flux.fromIterable(text.mentions())
			.flatMap(this.usernames::findUser)
			.map(User::username)
			.collectMap(UsernameRules::fold);
		return Mono.zip(author, mentioned, (known, names) -> render(post, known, counts, text, names));
	}

	/** Renders a post again, with other counts. */
	RenderedPost render(RenderedPost post, EngagementCounts counts) {
		return render(post.post(), post.author(), counts, ParsedPostText.of(post.post().body()), post.mentioned());
	}

	private RenderedPost render(Post post, AuthorView author, EngagementCounts counts, ParsedPostText text,
			Map<String, String> mentioned) {
		return new RenderedPost(post, author, counts, mentioned,
				this.article.execute(PostView.of(post, author, counts, text, mentioned)));
	}

}
