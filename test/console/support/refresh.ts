/** Waiting for the next refresh of a screen, without the pause before it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** Longer than the pause of any screen. */
const PASSED_MS = 9_000;
/** For work that takes several refreshes. */
const TIMEOUT_MS = 60_000;
/** For the answer to a refresh. */
const LOOK_MS = 250;

/** Prepares a page for `shownByRefresh`. */
export const withClock = (page: Page) => page.clock.install();

/** Passes over the pauses between the refreshes of a screen until it shows something, or no longer does. */
export async function shownByRefresh(
  page: Page,
  shown: Locator,
  state: 'visible' | 'detached' = 'visible',
): Promise<void> {
  const isShown = shown.waitFor({ state, timeout: TIMEOUT_MS }).then(() => true);
  while (!(await Promise.race([isShown, delay(LOOK_MS, false)]))) await page.clock.fastForward(PASSED_MS);
}
