import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { signIn, useConsole } from './support/console.js';
import { exampleFile } from './support/host.js';
import { shownByRefresh, withClock } from './support/refresh.js';

vi.setConfig({ testTimeout: 90_000 });

/** The words of the table that are drawn on more than one line. */
const brokenWords = `[...document.querySelectorAll('tbody td')].flatMap((cell) => {
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (texts.nextNode()) {
    for (const { 0: word, index } of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return broken;
})`;

describe.skipIf(reasonToSkip)('the list of instances', () => {
  const console = useConsole();
  const workflowIDs: string[] = [];

  beforeAll(async () => {
    await console.host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
    const definitionID = await console.host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
    for (let index = 0; index < 12; index += 1) {
      workflowIDs.push(
        await console.host.start(definitionID, { orderID: `order-${index}`, total: 120, items: [] }, `order-${index}`),
      );
    }
    const broken = await console.host.start(definitionID, { orderID: 'order-broken' }, 'order-broken');
    workflowIDs.push(broken);
    await console.host.call('editor', 'DELETE', `/instances/${workflowIDs[0]}`);
    await console.host.call('admin', 'POST', `/instances/${workflowIDs[2]}/suspend`, { reason: 'stocktaking' });
    // The total that the gateway after its first job reads is missing: an incident.
    const [job] = await vi.waitFor(
      async () => {
        const { data } = await console.host.call('viewer', 'GET', `/instances/${broken}/external-jobs?status=PENDING`);
        expect(data).toHaveLength(1);
        return data;
      },
      { timeout: 30_000 },
    );
    await console.host.call('executor', 'POST', `/external-jobs/${job.executionKey}/complete`, { workflowID: broken });
  });

  const rows = (page: Page) => page.getByRole('table', { name: 'Instances' }).locator('tbody tr');

  it('shows every instance with its process, its status and its marks', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances');
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBe(13);
    await rows(page).filter({ hasText: 'order-0' }).getByText('Canceled').waitFor();
    await rows(page).filter({ hasText: 'order-2' }).getByText('Paused').waitFor();
    await rows(page).filter({ hasText: 'order-broken' }).getByText('Incident').waitFor();
    await checkScreen(page, 'instances');
  });

  it('costs less than 350 KB to see first, and leaves what is heavy for later', async () => {
    const page = await console.newPage();
    const sizes = new Map<string, number>();
    page.on('response', async (response) => {
      if (response.url().includes('/console/assets/'))
        sizes.set(response.url(), Number(response.headers()['content-length']));
    });
    await page.goto(`${console.host.url}/console/projects/demo/instances`);
    await signIn(page, 'viewer');
    await rows(page).first().waitFor();
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThan(350 * 1024);
    expect([...sizes.keys()].filter((url) => /bpmn-diagram|form-js|feel/.test(url))).toEqual([]);
  });

  it('is used by keyboard alone, and on a narrow window', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances');
    await rows(page).first().waitFor();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Skip to content');
    await page.keyboard.press('Enter');
    for (let presses = 0; presses < 60 && !(await page.locator('tbody a:focus').count()); presses += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'History' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Variables', selected: true }).waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('link', { name: 'Instances' }).first().click();
    await rows(page).first().waitFor();
    await checkScreen(page, 'instances-narrow');
    // The column is narrower than this word.
    await page.evaluate(
      "document.querySelector('tbody tr td:nth-child(3) [title]').textContent = 'Auftragsdatenverarbeitungsvertrag'",
    );
    expect(await page.evaluate(brokenWords)).toEqual([]);
  });

  it('takes its filters from the address and puts them there', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances?status=CANCELED');
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBe(1);
    const filters = page.getByRole('search', { name: 'Filters' });
    await filters.getByRole('button', { name: 'Status: Canceled' }).click();
    await filters.getByRole('dialog', { name: 'Status' }).getByLabel('Failed').check();
    await page.waitForURL((url) => url.searchParams.get('status') === 'FAILED,CANCELED');
    await page.keyboard.press('Escape');
    await filters.getByRole('button', { name: 'Running' }).click();
    await filters.getByRole('button', { name: 'Running', pressed: true }).waitFor();
    await filters.getByRole('button', { name: 'Add filter' }).click();
    const add = page.getByRole('dialog', { name: 'Add filter' });
    await add.getByRole('button', { name: 'Business id', exact: true }).click();
    await page.getByRole('textbox', { name: 'Business id', exact: true }).fill('order-3');
    await page.keyboard.press('Enter');
    await page.waitForURL(
      (url) => url.searchParams.get('businessId') === 'order-3' && url.searchParams.get('status') === 'RUNNING',
    );
    await rows(page)
      .filter({ hasText: workflowIDs[3]!.slice(0, 8) })
      .waitFor();
    await vi.waitFor(async () => expect(await rows(page).count()).toBe(1), { timeout: 10_000 });
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await vi.waitFor(async () => expect(await rows(page).count()).toBe(13), { timeout: 10_000 });
  });

  it('finds by business id and by process with the keyboard', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances');
    const find = page.getByRole('combobox', { name: 'Find instances' });
    await find.fill('order-1');
    await page.getByRole('option', { name: /Business id begins with/ }).waitFor();
    await find.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('businessIdPrefix') === 'order-1');
    await vi.waitFor(async () => expect(await rows(page).count()).toBe(3), { timeout: 10_000 });
    await page.getByRole('button', { name: 'Remove filter: Business id begins with' }).click();
    expect(await page.locator(':focus').textContent()).toBe('Add filter');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Process id' }).click();
    const process = page.getByRole('combobox', { name: 'Process' });
    await process.fill('payment');
    await page.getByRole('option').filter({ hasText: 'collect-payment' }).waitFor();
    await page.getByText('1 process', { exact: true }).waitFor();
    await checkScreen(page, 'instances-process-filter');
    await process.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('processId') === 'collect-payment');
    await page.getByRole('button', { name: 'Process id: collect-payment' }).waitFor();
  });

  it('keeps chosen columns and named views in this browser', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances?status=CANCELED');
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Started by').check();
    await page.getByLabel('Duration').uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Started by' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Duration' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Name of a new view').fill('Canceled orders');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Canceled orders', exact: true }).waitFor();
    await checkScreen(page, 'instances-views');
    await page.goto(`${console.host.url}/console/projects/demo/instances`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Canceled orders', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get('status') === 'CANCELED');
    expect(new URL(page.url()).searchParams.get('columns')).toContain('startedBy');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Delete Canceled orders' }).click();
    await page.getByRole('list', { name: 'Saved views' }).waitFor({ state: 'detached' });
  });

  it('shows the first page when the address asks for one that is none', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances?page=two');
    await vi.waitFor(async () => expect(await rows(page).count()).toBe(13), { timeout: 10_000 });
    for (const asked of ['0', '-1', '1.5']) {
      await page.goto(`${console.host.url}/console/projects/demo/instances?page=${asked}`);
      await vi.waitFor(async () => expect(await rows(page).count(), `with page=${asked}`).toBe(13), {
        timeout: 10_000,
      });
    }
  });

  it('says so when nothing matches, and how to continue', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances?businessId=nobody');
    await page.getByRole('heading', { name: 'No instances match' }).waitFor();
    await checkScreen(page, 'instances-empty');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await rows(page).first().waitFor();
  });

  it('keeps what it shows while the host is down, and says that it is old', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances', withClock);
    await rows(page).first().waitFor();
    await page.route('**/projects/demo/bpmn/**', (route) => route.abort());
    await shownByRefresh(page, page.getByText('Could not refresh'));
    expect(await rows(page).count()).toBe(13);
  });

  it('is refreshed without moving what is selected', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances', withClock);
    const link = page.locator(`tbody a[href$="${workflowIDs[5]}"]`);
    await link.focus();
    await console.host.call('editor', 'DELETE', `/instances/${workflowIDs[5]}`);
    const row = rows(page).filter({ hasText: workflowIDs[5]!.slice(0, 8) });
    await shownByRefresh(page, row.getByText('Canceled'));
    expect(await page.locator(':focus').textContent()).toBe(await link.textContent());
  });
});
