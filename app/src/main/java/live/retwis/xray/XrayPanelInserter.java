package live.retwis.xray;

import java.nio.charset.StandardCharsets;

/** The place in a page at which the panel is put: the end of the page's content. */
final class XrayPanelInserter {

	private static final byte[] END = "</main>".getBytes(StandardCharsets.US_ASCII);

	private XrayPanelInserter() {
	}

	/** The page with the panel at the end of its content. */
	static byte[] with(byte[] page, byte[] panel) {
		int place = page.length - END.length;
		while (place >= 0 && !isEnd(page, place)) {
			place--;
		}
		if (place < 0) {
			return page;
		}
		byte[] all = new byte[page.length + panel.length];
		System.arraycopy(page, 0, all, 0, place);
		System.arraycopy(panel, 0, all, place, panel.length);
		System.arraycopy(page, place, all, place + panel.length, page.length - place);
		return all;
	}

	private static boolean isEnd(byte[] page, int place) {
		for (int i = 0; i < END.length; i++) {
			if (page[place + i] != END[i]) {
				return false;
			}
		}
		return true;
	}

}
