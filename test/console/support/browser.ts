/** A real Chromium without a window. It ends with the process of the tests. */
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { findChromium } from '../../../tools/chromium.js';

export const chromiumPath = findChromium();

/** Why the tests of the console cannot run here; undefined when they can. */
export const reasonToSkip =
  chromiumPath === undefined
    ? 'there is no Chromium: install Debian\'s package "chromium", or name one with CHROMIUM'
    : undefined;
if (reasonToSkip !== undefined) console.warn(`Tests of the console are left out: ${reasonToSkip}.`);

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let browser: Promise<Browser> | undefined;

/** A context with cookies and storage of its own, in the browser that the test files of a process share. */
export async function openContext(): Promise<BrowserContext> {
  browser ??= chromium.launch({ executablePath: chromiumPath, args: flags });
  return (await browser).newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
}
