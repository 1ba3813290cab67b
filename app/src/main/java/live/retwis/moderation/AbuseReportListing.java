package live.retwis.moderation;

import java.util.List;
import java.util.function.Function;

import live.retwis.account.UserRepository;
import live.retwis.archive.ArchiveAwayException;
import live.retwis.moderation.AbuseReportRepository.Report;
import live.retwis.post.PostRepository;
import live.retwis.web.TimeFormat;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** The reports as an operator reads them. */
@Component
public class AbuseReportListing {

	private static final String NOBODY = "a deleted account";

	private static final String UNKNOWN = "an author who cannot be looked up now";

	private final AbuseReportRepository reports;

	private final PostRepository posts;

	private final UserRepository users;

	AbuseReportListing(AbuseReportRepository reports, PostRepository posts, UserRepository users) {
		this.reports = reports;
		this.posts = posts;
		this.users = users;
	}

	/**
	 * A line for each reported post, the one reported last first, and below it a line for
	 * each report. Reports of posts that are deleted are removed. One line says so if
	 * there is no report.
	 */
	public Flux<String> lines() {
		return this.reports.posts()
			.concatMap((postId) -> this.posts.isThere(postId)
				.flatMapMany((there) -> there ? lines(postId) : this.reports.remove(postId).thenMany(Flux.empty())))
			.defaultIfEmpty("No post is reported.");
	}

	private Flux<String> lines(String postId) {
		return Mono.zip(author(postId), this.reports.of(postId), (author, reports) -> lines(postId, author, reports))
			.flatMapMany(Function.identity());
	}

	/** The report is listed even if nobody can tell whose the post is. */
	private Mono<String> author(String postId) {
		return this.posts.authorOf(postId)
			.flatMap(this::name)
			.onErrorReturn(ArchiveAwayException.class, UNKNOWN)
			.defaultIfEmpty(UNKNOWN);
	}

	private Flux<String> lines(String postId, String author, List<Report> reports) {
		return Flux.concat(Mono.just(heading(postId, author, reports)),
				Flux.fromIterable(reports).concatMap(this::line));
	}

	private static String heading(String postId, String author, List<Report> reports) {
		return postId + " by " + author + ": " + ((reports.size() == 1) ? "1 report" : reports.size() + " reports");
	}

	private Mono<String> line(Report report) {
		return name(report.userId())
			.map((reporter) -> "  " + TimeFormat.iso(report.millis()) + "  " + reporter + ": " + report.reason());
	}

	private Mono<String> name(String userId) {
		return this.users.nameOf(userId).map((name) -> "@" + name).defaultIfEmpty(NOBODY);
	}

}
