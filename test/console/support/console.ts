/** The console as a person uses it. Page objects of screens are next to their tests. */
import type { BrowserContext, Cookie, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { browserOfProcess, forgetVisits } from './browser.js';
import { startConsoleHost, type ConsoleHost } from './host.js';
import type { IdentityProvider } from '../../access/support/provider.js';

export type Person = 'viewer' | 'executor' | 'editor' | 'admin' | 'system-admin' | 'outsider';

/** The services of a test file, from before its first test until after its last. */
export interface ConsoleUnderTest {
  readonly host: ConsoleHost;
  /** A page without a session or history. It is closed after the test. */
  newPage(): Promise<Page>;
  /**
   * Opens an address below `/console` as a person who signs in on the way; it is the page they wanted that comes back.
   * The issuer asks for the password only the first time that a process of tests needs the person.
   *
   * @param prepare the page, before it is opened
   */
  open(person: Person, address?: string, prepare?: (page: Page) => Promise<unknown>): Promise<Page>;
}

/** Cookies of the sign-in at the issuer that all files of the process share. */
const sessions = new Map<Person, Cookie[]>();

/**
 * Call it at the top of a test file. A page that writes an error to its console, or that is refused something by the
 * content security policy, fails the test.
 *
 * @param startProvider for tests that change accounts, which others would see at the shared issuer
 */
export function useConsole(startProvider?: () => Promise<IdentityProvider>): ConsoleUnderTest {
  let host: ConsoleHost;
  let provider: IdentityProvider | undefined;
  let browser: BrowserContext;
  const known = startProvider ? new Map<Person, Cookie[]>() : sessions;
  const pages: Page[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    provider = await startProvider?.();
    [host, browser] = await Promise.all([startConsoleHost(provider?.environment), browserOfProcess()]);
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.close();
    await browser.clearCookies();
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    if (host && browser) await forgetVisits(browser, host.url);
    await host?.close();
    await provider?.close();
  });

  async function newPage(): Promise<Page> {
    const page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    pages.push(page);
    page.on('pageerror', (error) => complaints.push(`${error.name}: ${error.message}`));
    page.on('console', (message) => {
      // Refused requests are the business of the test; the browser writes a line about each.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
    return page;
  }

  return {
    get host() {
      return host;
    },
    newPage,
    async open(person, address = '/console/', prepare = undefined) {
      const page = await newPage();
      await prepare?.(page);
      await browser.addCookies(known.get(person) ?? []);
      const answered = page.waitForURL(/\/login\/|\/console\/callback\?/, { waitUntil: 'commit' });
      await Promise.all([answered, page.goto(`${host.url}${address}`, { waitUntil: 'commit' })]);
      // Unknown persons, and those who have signed out.
      if (page.url().includes('/login/')) {
        await fillIn(page, person);
        const cookies = await browser.cookies();
        known.set(
          person,
          cookies.filter(({ name }) => name.startsWith('_session')),
        );
      }
      await page.waitForURL(placeInConsole);
      return page;
    },
  };
}

const placeInConsole = /\/console\/(?!callback)/;

/** Fills in the issuer's form and waits until the console is back. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await page.waitForURL(/\/login\//);
  await fillIn(page, person);
}

async function fillIn(page: Page, person: Person): Promise<void> {
  await page.locator('input[name=name]').fill(person);
  await page.locator('input[name=password]').fill(`dev-${person}`);
  await page.locator('button[type=submit], input[type=submit]').click();
  await page.waitForURL(placeInConsole);
}
