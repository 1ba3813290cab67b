/**
 * Tests of an instance that is under attack, or in use for long. Honest users go on
 * meanwhile, each from an address of their own: this machine has many loopback addresses.
 * All clients are non-blocking and share few threads, so that they do not hold up each
 * other.
 */
@NullMarked
package live.retwis.attack;

import org.jspecify.annotations.NullMarked;
