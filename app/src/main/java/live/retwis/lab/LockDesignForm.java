package live.retwis.lab;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.locks.lab.design.RedlockDesign;
import live.retwis.locks.lab.design.RedlockDesign.Clock;
import live.retwis.locks.lab.design.RedlockDesign.FenceChoice;
import live.retwis.locks.lab.design.RedlockDesign.Order;
import live.retwis.locks.lab.design.RedlockDesign.Release;
import live.retwis.locks.lab.design.RedlockDesign.Vote;
import live.retwis.locks.lab.design.Weakness;

/** The form in which visitors choose how a lock works. */
final class LockDesignForm {

	private static final String YES = "yes";

	private static final String NO = "no";

	private LockDesignForm() {
	}

	/**
	 * Reads a design.
	 * @param sent the value of a field; empty where the field is absent
	 * @throws IllegalArgumentException when a value is unknown, or when there are fewer
	 * nodes than the quorum
	 */
	static RedlockDesign read(UnaryOperator<String> sent) {
		return new RedlockDesign(Integer.parseInt(sent.apply("nodes")), Integer.parseInt(sent.apply("quorum")),
				one(Order.class, sent.apply("order")), one(Vote.class, sent.apply("vote")),
				isYes(sent.apply("validity")), isYes(sent.apply("drift")), one(Clock.class, sent.apply("clock")),
				one(Release.class, sent.apply("release")), one(FenceChoice.class, sent.apply("fence")));
	}

	/** Reads a design; empty when it cannot be built. */
	static Optional<RedlockDesign> find(UnaryOperator<String> sent) {
		try {
			return Optional.of(read(sent));
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	/** Tells which choice has to change when the design cannot be built. */
	static Localized mistake(UnaryOperator<String> sent) {
		return fields(sent).stream()
			.filter((field) -> field.choices().stream().noneMatch(Choice::chosen))
			.findFirst()
			.map((field) -> Message.of("lab-design.unanswered", field.legend()))
			.orElseGet(() -> Message.of("lab-design.too-many", sent.apply("quorum"), sent.apply("nodes")));
	}

	private static boolean isYes(String value) {
		if (!List.of(YES, NO).contains(value)) {
			throw new IllegalArgumentException(value);
		}
		return value.equals(YES);
	}

	private static <T extends Enum<T>> T one(Class<T> type, String value) {
		return Enum.valueOf(type, value.toUpperCase(Locale.ROOT).replace('-', '_'));
	}

	private static String value(Enum<?> choice) {
		return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	private static String value(boolean choice) {
		return choice ? YES : NO;
	}

	/** The design as the query of an address. */
	static String query(RedlockDesign design) {
		return values(design).entrySet()
			.stream()
			.map((field) -> field.getKey() + "=" + field.getValue())
			.collect(Collectors.joining("&"));
	}

	/** The value of each field, in the order of the form. */
	private static Map<String, String> values(RedlockDesign design) {
		Map<String, String> values = new LinkedHashMap<>();
		values.put("nodes", Integer.toString(design.nodes()));
		values.put("quorum", Integer.toString(design.quorum()));
		values.put("order", value(design.order()));
		values.put("vote", value(design.vote()));
		values.put("validity", value(design.checksValidity()));
		values.put("drift", value(design.allowsForDrift()));
		values.put("clock", value(design.clock()));
		values.put("release", value(design.release()));
		values.put("fence", value(design.fence()));
		return values;
	}

	/** What can go wrong because of a choice. */
	static Localized text(Weakness weakness, RedlockDesign design) {
		return switch (weakness) {
			case QUORUM -> Message.of("lab-design.weak-quorum", design.quorum(), design.nodes());
			case VOTE -> Message.of("lab-design.weak-vote");
			case VALIDITY -> Message.of("lab-design.weak-validity");
			case DRIFT -> Message.of("lab-design.weak-drift");
			case CLOCK -> Message.of("lab-design.weak-clock");
			case RELEASE -> Message.of("lab-design.weak-release");
			case NO_FENCE -> Message.of("lab-design.weak-fence");
			case NUMBER_FENCE -> Message.of("lab-design.weak-number");
		};
	}

	/** All fields with the choices of a design. */
	static List<Field> fields(RedlockDesign chosen) {
		return fields(values(chosen)::get);
	}

	/**
	 * All fields with their choices.
	 * @param chosen the value of a field
	 */
	static List<Field> fields(UnaryOperator<String> chosen) {
		return List.of(numbers("nodes", Message.of("lab-design.nodes"), chosen, 3, 4, 5),
				numbers("quorum", Message.of("lab-design.quorum"), chosen, 1, 2, 3, 4, 5),
				field("order", Message.of("lab-design.order"), chosen,
						option("one-by-one", Message.of("lab-design.one-by-one")),
						option("all-at-once", Message.of("lab-design.all-at-once"))),
				field("vote", Message.of("lab-design.vote"), chosen,
						option("first-answer", Message.of("lab-design.first-answer")),
						option("second-look", Message.of("lab-design.second-look")),
						option("blind-renewal", Message.of("lab-design.blind-renewal"))),
				field("validity", Message.of("lab-design.validity"), chosen,
						option(YES, Message.of("lab-design.validity-yes")),
						option(NO, Message.of("lab-design.validity-no"))),
				field("drift", Message.of("lab-design.drift"), chosen, option(YES, Message.of("lab-design.drift-yes")),
						option(NO, Message.of("lab-design.drift-no"))),
				field("clock", Message.of("lab-design.clock"), chosen,
						option("steady", Message.of("lab-design.steady")),
						option("wall", Message.of("lab-design.wall"))),
				field("release", Message.of("lab-design.release"), chosen,
						option("own-key", Message.of("lab-design.own-key")),
						option("any-key", Message.of("lab-design.any-key"))),
				field("fence", Message.of("lab-design.fence"), chosen,
						option("none", Message.of("lab-design.no-fence")),
						option("owner", Message.of("lab-design.owner-fence")),
						option("number", Message.of("lab-design.number-fence"))));
	}

	/** The first field that the second design answers differently, with its answer. */
	static Field changed(RedlockDesign from, RedlockDesign to) {
		List<Field> before = fields(from);
		List<Field> after = fields(to);
		return IntStream.range(0, after.size())
			.filter((field) -> !after.get(field).answer().value().equals(before.get(field).answer().value()))
			.mapToObj(after::get)
			.findFirst()
			.orElseThrow();
	}

	private static Field numbers(String name, Localized legend, UnaryOperator<String> chosen, Integer... numbers) {
		return field(name, legend, chosen,
				Stream.of(numbers)
					.map((number) -> option(number.toString(), Localized.verbatim(number.toString())))
					.toArray(Choice[]::new));
	}

	private static Field field(String name, Localized legend, UnaryOperator<String> chosen, Choice... choices) {
		return new Field(name, legend, Stream.of(choices)
			.map((choice) -> new Choice(choice.value(), choice.text(), choice.value().equals(chosen.apply(name))))
			.toList());
	}

	private static Choice option(String value, Localized text) {
		return new Choice(value, text, false);
	}

	/** A field with the choices that it has. */
	record Field(String name, Localized legend, List<Choice> choices) {

		/** The choice that was made. */
		Choice answer() {
			return this.choices.stream().filter(Choice::chosen).findFirst().orElseThrow();
		}

	}

	/** One choice of a field. */
	record Choice(String value, Localized text, boolean chosen) {
	}

}
