package live.retwis.live;

import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import live.retwis.account.User;
import live.retwis.account.UserRepository;
import live.retwis.post.TextPartView;
import live.retwis.web.LanguageFreeTemplate;
import live.retwis.web.Templates;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;

/** The data of profile events: what others see of a user, as JSON. */
@Component
class ProfileEventData {

	private final UserRepository users;

	private final LanguageFreeTemplate text;

	ProfileEventData(UserRepository users, Templates templates) {
		this.users = users;
		this.text = templates.languageFree("partials/text");
	}

	/** What others see of a user now; empty when the user is gone. */
	Mono<String> of(String userId) {
		return this.users.findById(userId).map(this::json);
	}

	private String json(User user) {
		return JsonMapper.shared()
			.writeValueAsString(new ProfileChange(user.id(), user.username(), user.name(), user.bio(),
					this.text.execute(Map.of("parts", TextPartView.of(user.bio()))), user.avatar().picture()));
	}

	/**
	 * What others see of a user.
	 *
	 * @param picture address of the picture; null for none
	 */
	private record ProfileChange(String user, String username, String name, String bio,
			@JsonProperty("bio_html") String bioHtml, @Nullable String picture) {
	}

}
