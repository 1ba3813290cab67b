/**
 * A running site and its visitors, for the tests of all packages.
 * <ul>
 * <li>The site: {@link live.retwis.testing.Site} in this JVM,
 * {@link live.retwis.testing.SiteProcess} in a process that can be killed,
 * {@link live.retwis.testing.RunningCluster} for the command {@code cluster},
 * {@link live.retwis.testing.DelayedWriteSites} for writes that arrive late,
 * {@link live.retwis.testing.Nginx} in front.
 * <li>Who uses it: {@link live.retwis.testing.Visitor} has a browser without JavaScript,
 * {@link live.retwis.testing.EventStream} reads a stream,
 * {@link live.retwis.testing.AllPages} reads a list to its end,
 * {@link live.retwis.testing.SeamReaders} read lists whose posts move to the archive,
 * {@link live.retwis.testing.Simultaneous} does several things at once,
 * {@link live.retwis.testing.Commits} and {@link live.retwis.testing.SeededFollowers}
 * write what would take long by forms.
 * <li>Hostile input: {@link live.retwis.testing.HostileText},
 * {@link live.retwis.testing.HostileRequest}, {@link live.retwis.testing.RawHttp},
 * {@link live.retwis.testing.Pictures}.
 * <li>Redis: {@link live.retwis.testing.SharedData} for all tests of a JVM,
 * {@link live.retwis.testing.OwnData} for one test, and its topologies
 * {@link live.retwis.testing.ReplicatedServers},
 * {@link live.retwis.testing.SentinelServers}, {@link live.retwis.testing.ClusterServers}
 * and {@link live.retwis.testing.LockServers}. {@link live.retwis.testing.DataConnection}
 * and {@link live.retwis.testing.NodeConnections} ask them.
 * <li>PostgreSQL: {@link live.retwis.testing.TestPostgres}.
 * <li>What to wait for and to count: {@link live.retwis.testing.FanOutWait},
 * {@link live.retwis.testing.LogLength}, {@link live.retwis.testing.ServerCost},
 * {@link live.retwis.testing.RoundTripProxy}, {@link live.retwis.testing.Traces},
 * {@link live.retwis.testing.NoBlocking}.
 * </ul>
 * Helpers of one kind of test are beside it: browsers in {@code live.retwis.browser}, the
 * workload and its ledger in {@code live.retwis.faults}, loads in
 * {@code live.retwis.attack} and {@code live.retwis.bench}.
 */
@NullMarked
package live.retwis.testing;

import org.jspecify.annotations.NullMarked;
