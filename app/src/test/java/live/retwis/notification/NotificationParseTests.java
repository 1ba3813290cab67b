package live.retwis.notification;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class NotificationParseTests {

	@Test
	void aNotificationIsReadBack() {
		for (NotificationType type : NotificationType.values()) {
			Notification notification = new Notification(type, "0HNXB4RNZQ9ZV",
					(type == NotificationType.FOLLOW) ? "" : "0HNXB4RNZQ9ZW");
			assertThat(Notification.parse(notification.member())).contains(notification);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ":", "follow", "follow:", "follow:0HNXB4RNZQ9ZV:0HNXB4RNZQ9ZW", "like:0HNXB4RNZQ9ZV",
			"wave:0HNXB4RNZQ9ZV", "like:0HNXB4RNZQ9ZV:nothing", "like:a:b:c" })
	void anyOtherTextIsNone(String garbage) {
		assertThat(Notification.parse(garbage)).isEmpty();
	}

	@Test
	void aLongTextIsCutBetweenCharacters() {
		assertThat(NotificationView.beginning(" one\n\ntwo ")).isEqualTo("one two");
		assertThat(NotificationView.beginning("😀".repeat(80))).isEqualTo("😀".repeat(80));
		assertThat(NotificationView.beginning("😀".repeat(81))).isEqualTo("😀".repeat(80) + "…");
	}

}
