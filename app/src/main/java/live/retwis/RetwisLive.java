package live.retwis;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class RetwisLive {

	public static void main(String[] args) {
		SpringApplication.run(RetwisLive.class, args);
	}

}
