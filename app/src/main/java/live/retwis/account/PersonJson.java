package live.retwis.account;

/** A user in a list, for programs. */
public record PersonJson(String username) {

	public static PersonJson of(ListedPerson person) {
		return new PersonJson(person.person().username());
	}

}
