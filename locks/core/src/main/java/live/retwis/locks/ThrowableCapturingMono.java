package live.retwis.locks;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * What a callback of a caller returns. Everything that the callback or a subscription to
 * its result throws becomes an error signal. Reactor's own operators give no signal at
 * all for some errors, such as a class that cannot be loaded or a thread that cannot be
 * started. What is thrown later, on another thread, is lost all the same.
 *
 * @param <T> what it returns
 */
final class ThrowableCapturingMono<T> extends Mono<T> {

	private final Supplier<Mono<T>> callback;

	ThrowableCapturingMono(Supplier<Mono<T>> callback) {
		this.callback = callback;
	}

	@Override
	public void subscribe(CoreSubscriber<? super T> actual) {
		OneSignal<T> subscriber = new OneSignal<>(actual);
		try {
			this.callback.get().subscribe(subscriber);
		}
		catch (Throwable ex) {
			subscriber.thrown(ex);
		}
	}

	/** Passes on one signal, so that an error that is thrown later changes nothing. */
	private static final class OneSignal<T> implements CoreSubscriber<T> {

		private final CoreSubscriber<? super T> actual;

		private final AtomicBoolean ended = new AtomicBoolean();

		private volatile boolean subscribed;

		OneSignal(CoreSubscriber<? super T> actual) {
			this.actual = actual;
		}

		@Override
		public Context currentContext() {
			return this.actual.currentContext();
		}

		@Override
		public void onSubscribe(Subscription subscription) {
			this.subscribed = true;
			this.actual.onSubscribe(subscription);
		}

		@Override
		public void onNext(T value) {
			if (this.ended.compareAndSet(false, true)) {
				this.actual.onNext(value);
				this.actual.onComplete();
			}
			else {
				Operators.onNextDropped(value, currentContext());
			}
		}

		@Override
		public void onError(Throwable error) {
			if (this.ended.compareAndSet(false, true)) {
				this.actual.onError(error);
			}
			else {
				Operators.onErrorDropped(error, currentContext());
			}
		}

		@Override
		public void onComplete() {
			if (this.ended.compareAndSet(false, true)) {
				this.actual.onComplete();
			}
		}

		void thrown(Throwable error) {
			if (!this.subscribed) {
				this.actual.onSubscribe(Operators.emptySubscription());
			}
			onError(error);
		}

	}

}
