/**
 * A real Chromium without a window, and a port for the host. Both are those of the process, for all of its test files: with
 * a profile and an origin that stay the same, the browser has the console and its compiled scripts from the second file on.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';
import { inject } from 'vitest';
import { freePort } from '../../../dev/ports.js';
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
  // Each page, and each way through the issuer, would start a process, which took a third of the time of opening a page.
  '--process-per-site',
  '--renderer-process-limit=1',
];

let opened: Promise<BrowserContext> | undefined;
let port: Promise<number> | undefined;

/** It ends with the process. */
export function browserOfProcess(): Promise<BrowserContext> {
  opened ??= chromium.launchPersistentContext(mkdtempSync(join(inject('browserFolder'), 'profile-')), {
    executablePath: chromiumPath,
    args: flags,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  return opened;
}

/** The port of the one host that a process has at a time. */
export function portOfProcess(): Promise<number> {
  port ??= freePort();
  return port;
}

/** Leaves the browser as it was opened, but for what it has kept of files and scripts. */
export async function forgetVisits(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const storageTypes = 'cookies,local_storage,indexeddb,service_workers,cache_storage';
  await session.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes });
  await page.close();
  await context.clearCookies();
}
