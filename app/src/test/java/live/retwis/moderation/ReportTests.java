package live.retwis.moderation;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.moderation.AbuseReportRepository.Report;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(RedisExtension.class)
class ReportTests {

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final Visitor reader = Visitor.registered(this.site);

	private final String post = this.author.post("unwanted");

	private final String path = "/posts/" + this.post + "/report";

	private Answer report(Visitor visitor, String reason) {
		visitor.get(this.path);
		return visitor.submit(this.path, "reason", reason);
	}

	private List<Report> reports() {
		return Objects.requireNonNull(this.site.bean(AbuseReportRepository.class).of(this.post).block());
	}

	@Test
	void aReaderReportsAPostWithoutScriptsAndIsThanked() {
		assertThat(this.reader.get("/posts/" + this.post).body()).contains("href=\"" + this.path + "\"");
		Answer form = this.reader.get(this.path);
		assertThat(form.posts()).containsExactly("unwanted");
		assertThat(form.body()).contains("action=\"" + this.path + "\"");
		Answer sent = report(this.reader, "It is advertising.");
		assertThat(sent.status()).isEqualTo(303);
		Answer thanks = this.reader.get(sent.location());
		assertThat(thanks.body()).contains("Thank you.").doesNotContain("action=\"" + this.path + "\"");
		assertThat(reports()).singleElement().satisfies((report) -> {
			assertThat(report.userId()).isEqualTo(this.reader.id());
			assertThat(report.reason()).isEqualTo("It is advertising.");
		});
	}

	@Test
	void somebodyWhomTheReaderHasBlockedIsReportedWithoutShowingThePost() {
		this.reader.get("/@" + this.author.name());
		assertThat(this.reader.submit("/@" + this.author.name() + "/block").status()).isEqualTo(303);
		Answer form = this.reader.get(this.path);
		assertThat(form.status()).isEqualTo(200);
		assertThat(form.posts()).isEmpty();
		assertThat(form.body()).contains("You have blocked @" + this.author.name()).doesNotContain("unwanted");
		assertThat(report(this.reader, "threats").status()).isEqualTo(303);
		assertThat(reports()).singleElement().extracting(Report::reason).isEqualTo("threats");
	}

	@Test
	void aSecondReportByTheSameUserChangesNothing() {
		assertThat(report(this.reader, "first").status()).isEqualTo(303);
		assertThat(report(this.reader, "second").status()).isEqualTo(303);
		assertThat(report(Visitor.registered(this.site), "").status()).isEqualTo(303);
		assertThat(reports()).extracting(Report::reason).containsExactlyInAnyOrder("first", "");
	}

	@Test
	void aReasonThatIsTooLongComesBackWithTheForm() {
		Answer refused = report(this.reader, "x".repeat(201));
		assertThat(refused.status()).isEqualTo(422);
		assertThat(refused.errors()).containsExactly("Use at most 200 characters.");
		assertThat(refused.body()).contains("value=\"" + "x".repeat(201) + "\"");
		assertThat(report(this.reader, "😀".repeat(200)).status()).isEqualTo(303);
	}

	@Test
	void aProgramIsToldInJsonThatAPostIsReportedOrWhyNot() {
		Answer refused = this.reader.submitJson(this.path, "reason", "x".repeat(201));
		assertThat(refused.status()).isEqualTo(422);
		assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
		assertThat(refused.json().get("detail").asString()).isEqualTo("Use at most 200 characters.");
		Answer sent = this.reader.submitJson(this.path, "reason", "by a program");
		assertThat(sent.status()).isEqualTo(200);
		assertThat(sent.json().get("post").asString()).isEqualTo(this.post);
		assertThat(sent.json().get("reported").asBoolean()).isTrue();
		assertThat(reports()).extracting(Report::reason).containsExactly("by a program");
	}

	@Test
	void aReasonThatShowsNothingIsNone() {
		report(this.reader, "\u3164\u2800\u0301");
		assertThat(reports()).singleElement().extracting(Report::reason).isEqualTo("");
	}

	@Test
	void aReasonCannotControlTheOperatorsTerminal() {
		report(this.reader, "a\u001b[2Jb\r\nc\u202e");
		assertThat(reports()).singleElement().extracting(Report::reason).isEqualTo("a [2Jb c");
	}

	@Test
	void onesOwnPostCannotBeReported() {
		assertThat(this.author.get("/posts/" + this.post).body()).doesNotContain(this.path);
		assertThat(this.author.submit(this.path, "reason", "").status()).isEqualTo(422);
		assertThat(reports()).isEmpty();
	}

	@Test
	void signedOutVisitorsSignInFirst() {
		Visitor stranger = Visitor.of(this.site);
		assertThat(stranger.get("/posts/" + this.post).body()).doesNotContain(this.path);
		assertThat(stranger.get(this.path).location()).startsWith("/login");
		stranger.get("/login");
		assertThat(stranger.submit(this.path, "reason", "").location()).startsWith("/login");
		assertThat(reports()).isEmpty();
	}

	@Test
	void anUnknownPostIs404() {
		assertThat(this.reader.get("/posts/0AAAAAAAAAAAA/report").status()).isEqualTo(404);
		assertThat(this.reader.get("/posts/nonsense/report").status()).isEqualTo(404);
	}

	@Test
	void reportsOfADeletedPostAreRemovedWhenTheyAreRead() {
		report(this.reader, "late");
		this.site.redis().hset("post:" + this.post, "deleted", "mark");
		assertThat(this.site.bean(AbuseReportListing.class).lines().collectList().block())
			.noneMatch((line) -> line.contains(this.post));
		assertThat(this.site.redis().zscore(Keys.REPORTS, this.post)).isNull();
		assertThat(reports()).isEmpty();
	}

	@Test
	void aReportIsListedEvenIfItsPostCannotBeRead() {
		report(this.reader, "spoilt");
		this.site.redis().del(Keys.post(this.post));
		this.site.redis().set(Keys.post(this.post), "no post");
		assertThat(this.site.bean(AbuseReportListing.class).lines().collectList().block())
			.anyMatch((line) -> line.startsWith(this.post + " by "));
		this.site.redis().del(Keys.post(this.post), Keys.REPORTS_OF + this.post);
		this.site.redis().zrem(Keys.REPORTS, this.post);
	}

	@Test
	@Tag("slow")
	void aReportStaysWithoutItsReporterWhoHasDeletedTheAccount() {
		String gone = this.reader.id();
		report(this.reader, "threats");
		report(Visitor.registered(this.site), "the same");
		this.reader.get("/settings");
		assertThat(this.reader.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		FanOutWait.settle(this.site);
		assertThat(reports()).extracting(Report::reason).containsExactlyInAnyOrder("threats", "the same");
		assertThat(reports()).noneMatch((report) -> report.userId().equals(gone));
		assertThat(this.site.bean(AbuseReportListing.class).lines().collectList().block())
			.anyMatch((line) -> line.endsWith("a deleted account: threats"));
	}

	@Test
	void aReportThatComesAfterTheDeletionOfTheAccountDoesNotNameItsReporter() {
		this.reader.get("/settings");
		String gone = this.reader.id();
		assertThat(this.reader.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		FanOutWait.settle(this.site);
		this.site.bean(AbuseReportRepository.class).keep(this.post, gone, "late").block();
		assertThat(reports()).singleElement().satisfies((report) -> {
			assertThat(report.reason()).isEqualTo("late");
			assertThat(report.userId()).isNotEqualTo(gone);
		});
	}

	/**
	 * Only the other instances know the archive, so nobody here knows if it is deleted.
	 */
	@Test
	void whatIsAboutAnArchivedPostStaysWhereNoSettingNamesTheArchive(@OwnRedis TestRedis redis) {
		try (Site unnamed = Site.start(redis)) {
			Visitor alice = Visitor.registered(unnamed);
			String archived = alice.post("long ago");
			assertThat(alice.submit("/posts/" + archived + "/bookmark").status()).isEqualTo(303);
			Visitor bob = Visitor.registered(unnamed);
			bob.get("/posts/" + archived + "/report");
			assertThat(bob.submit("/posts/" + archived + "/report", "reason", "old").status()).isEqualTo(303);
			FanOutWait.settle(unnamed);
			unnamed.redis().set(Keys.ARCHIVE_SITE, "site");
			unnamed.redis().del(Keys.post(archived));
			assertThat(unnamed.bean(AbuseReportListing.class).lines().collectList().block())
				.anyMatch((line) -> line.startsWith(archived + " by "));
			alice.get("/bookmarks");
			assertThat(unnamed.redis().zscore("bookmarks:" + alice.id(), archived)).isNotNull();
			assertThat(unnamed.redis().zscore(Keys.REPORTS, archived)).isNotNull();
		}
	}

	@Test
	void theStoreKeepsFewPostsAndFewReportsOfEach() {
		String prefix = "{test:" + UUID.randomUUID() + "}:reports:";
		String list = prefix.substring(0, prefix.length() - 1);
		assertThat(keep(list, prefix, "old", "a", 1)).containsExactly("1");
		assertThat(keep(list, prefix, "new", "a", 2)).containsExactly("1");
		assertThat(keep(list, prefix, "new", "b", 3)).containsExactly("1");
		assertThat(keep(list, prefix, "new", "c", 4)).as("more than two reports").containsExactly("0");
		assertThat(this.site.redis().zscore(list, "new")).as("the refused report is the last one").isEqualTo(4);
		assertThat(keep(list, prefix, "new", "a", 5)).as("again").containsExactly("1");
		assertThat(keep(list, prefix, "newest", "a", 6)).containsExactly("1");
		assertThat(this.site.redis().zrange(list, 0, -1)).containsExactly("new", "newest");
		assertThat(this.site.redis().exists(prefix + "old")).isZero();
		assertThat(this.site.redis().hgetall(prefix + "new")).containsOnlyKeys("a", "b").containsEntry("a", "2 why");
	}

	/** Keeps a report in a store of at most two posts and two reports of each. */
	private List<String> keep(String list, String prefix, String postId, String userId, long millis) {
		return Objects.requireNonNull(this.site.bean(DataNodeCommands.class)
			.run(LuaScript.named("keep-report"), List.of(list, prefix + postId), prefix, "2", "2", postId, userId,
					Long.toString(millis), "why")
			.block());
	}

}
