/** The search of the documentation site, opened from a folder as from a host. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildSite } from '../../tools/docs/site.mjs';
import { browserOfProcess, reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

describe.skipIf(reasonToSkip)('the search of the documentation site', () => {
  let site: string;
  beforeAll(async () => {
    site = mkdtempSync(join(tmpdir(), 'perdure-site-'));
    await buildSite(site);
  });
  afterAll(() => rmSync(site, { recursive: true, force: true }));

  const open = async (path: string) => {
    const browser = await browserOfProcess();
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(site, path)).href);
    return page;
  };

  it('leads to a section by keyboard, and back', async () => {
    const page = await open('docs/how-to/limit-jobs.html');
    const focused = () => page.evaluate<string>('document.activeElement.textContent || document.activeElement.id');
    const field = page.getByRole('searchbox', { name: 'Search' });
    const status = page.getByRole('status');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('xylophone');
    await status.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe('');
    expect(await status.textContent()).toBe('');
    await page.keyboard.type('retention');
    await status.getByText(/result/).waitFor();
    const links = page.getByRole('search').getByRole('link');
    expect(await links.count()).toBeGreaterThan(3);
    await checkScreen(page, 'documentation-search');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(await links.first().textContent());
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(await links.nth(1).textContent());
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe('search');
    const target = await links.first().getAttribute('href');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.href === new URL(target!, pathToFileURL(`${site}/docs/how-to/`)).href);
    await page.close();
  });

  it('shows words of a query as text', async () => {
    const page = await open('index.html');
    await page.getByRole('searchbox', { name: 'Search' }).fill('<img src=x onerror=alert(1)> retention');
    await page
      .getByRole('status')
      .getByText(/found|result/)
      .waitFor();
    expect(await page.getByRole('search').locator('img').count()).toBe(0);
    await page.close();
  });
});
