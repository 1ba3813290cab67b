package live.retwis.web;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.function.server.support.RouterFunctionMapping;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

class FilterOrderTests {

	@Test
	void noTwoFiltersOfTheRunningSiteHaveTheSamePlace() {
		try (Site site = Site.another("--retwis.lab.enabled=true", "--retwis.xray.enabled=true")) {
			ApplicationContext context = Objects
				.requireNonNull(site.beans(RouterFunctionMapping.class).get(0).getApplicationContext());
			List<Integer> places = Stream.of(context.getBeanNamesForType(WebFilter.class))
				.map((filter) -> Objects.requireNonNull(context.findAnnotationOnBean(filter, Order.class), filter))
				.map(Order::value)
				.toList();
			assertThat(places).as("places of %s", site.beans(WebFilter.class)).hasSize(11).doesNotHaveDuplicates();
		}
	}

}
