/** A real Chromium without a window. One for each test file; each test has its own context, with cookies and storage. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';
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

export interface TestBrowser {
  context: BrowserContext;
  close(): Promise<void>;
}

/** A browser with a new profile. */
export async function openBrowser(): Promise<TestBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'perdure-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath,
    args: flags,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
