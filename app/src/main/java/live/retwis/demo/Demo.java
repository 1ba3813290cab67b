package live.retwis.demo;

import org.springframework.stereotype.Component;

/**
 * stub.
 */
@Component
public class Demo {

	public void run(boolean add) {
	}

}
