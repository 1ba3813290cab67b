package live.retwis.doctor;

import java.util.List;

/** Rules for some families of keys. */
interface Rules {

	List<KeySchema> families();

}
