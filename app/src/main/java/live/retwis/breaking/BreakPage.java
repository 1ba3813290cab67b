package live.retwis.breaking;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import live.retwis.cluster.ClusterFaultKind;
import live.retwis.cluster.ClusterFaultRecord;
import live.retwis.cluster.ClusterFaultRequest;
import live.retwis.cluster.LocalSiteState;
import live.retwis.cluster.PartSnapshot;
import live.retwis.i18n.Language;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.web.PageFrame;
import live.retwis.web.PageView;
import org.jspecify.annotations.Nullable;

/**
 * The page {@code /break}.
 *
 * @param kinds what can be broken
 * @param instances names of the instances that can be chosen
 * @param seconds for how long, unless somebody chooses another time
 * @param most longest time in seconds
 * @param parts all parts, as they are now
 * @param broken what is broken now or was last; null when nothing was
 * @param breakable whether something can be broken now
 */
record BreakPage(PageFrame frame, List<KindView> kinds, List<InstanceView> instances, int seconds, int most,
		List<PartView> parts, @Nullable BrokenView broken, boolean breakable) implements PageView {

	private static final int SECONDS = 15;

	static BreakPage of(PageFrame frame, LocalSiteState state, String here) {
		return new BreakPage(frame, kinds(state),
				state.instances()
					.stream()
					.map((part) -> new InstanceView(part.name(), part.name().equals(here)))
					.toList(),
				SECONDS, ClusterFaultRequest.MOST_SECONDS, state.parts().map(PartView::of).toList(),
				BrokenView.of(state), state.isWhole());
	}

	/** A single instance has no other one that could stay. */
	private static List<KindView> kinds(LocalSiteState state) {
		return Stream.of(ClusterFaultKind.values())
			.filter((kind) -> kind != ClusterFaultKind.KILL_ALL_BUT_ONE || state.instances().size() > 1)
			.map((kind) -> new KindView(kind.toString(), BreakTexts.action(kind), kind.ordinal() == 0))
			.toList();
	}

	/** The same for a script, in the language of its page. */
	static Map<String, Object> json(LocalSiteState state, Language language, String here) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("instance", here);
		json.put("breakable", state.isWhole());
		json.put("seconds", SECONDS);
		json.put("parts",
				state.parts()
					.map((part) -> Map.of("name", part.name(), "up", part.isUp(), "state",
							BreakTexts.state(part.state()).in(language), "master", part.master()))
					.toList());
		json.put("kinds",
				kinds(state).stream()
					.map((kind) -> Map.of("kind", kind.kind(), "label", kind.label().in(language)))
					.toList());
		BrokenView broken = BrokenView.of(state);
		if (broken != null) {
			json.put("broken",
					Map.of("text", broken.what().in(language), "active", broken.active(), "left", broken.left()));
		}
		return json;
	}

	record KindView(String kind, Localized label, boolean first) {
	}

	record InstanceView(String name, boolean here) {
	}

	record PartView(String name, int port, boolean up, Localized state, boolean master) {

		static PartView of(PartSnapshot part) {
			return new PartView(part.name(), part.port(), part.isUp(), BreakTexts.state(part.state()), part.master());
		}

	}

	/**
	 * What is broken or was.
	 *
	 * @param left seconds until it heals; 0 when it is healed
	 * @param changes what became of it
	 */
	record BrokenView(Localized what, String by, boolean active, long left, List<ChangeView> changes) {

		static @Nullable BrokenView of(LocalSiteState state) {
			ClusterFaultRecord broken = state.breakage();
			if (broken == null) {
				return null;
			}
			long left = Math.max(0, (broken.until() - System.currentTimeMillis() + 999) / 1000);
			return new BrokenView(BreakTexts.done(broken), broken.by(), broken.isActive(), broken.isActive() ? left : 0,
					ChangeView.of(broken));
		}

	}

	/** A line about what happened, with the time since the beginning in seconds. */
	record ChangeView(Localized after, Localized what) {

		static List<ChangeView> of(ClusterFaultRecord broken) {
			return broken.changes()
				.stream()
				.map((change) -> new ChangeView(seconds(change.at() - broken.began()), BreakTexts.change(change)))
				.toList();
		}

		private static Localized seconds(long millis) {
			return Message.of("break.after", Math.max(0, millis) / 1000.0);
		}

	}

}
