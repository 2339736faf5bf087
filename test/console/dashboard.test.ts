import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { exampleFile } from './support/host.js';
import { insertPastHours } from './support/past-statistics.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

const address = '/console/projects/demo/dashboard';

describe.skipIf(reasonToSkip)('the dashboard of a project', () => {
  const console = useConsole();

  beforeAll(async () => {
    const { host } = console;
    await host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
    const definitionID = await host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
    await host.call('editor', 'PUT', '/processes/order-fulfilment/targets', { targets: [{ duration: 'PT1S' }] });
    const order = (orderID: string) => ({ orderID, total: 10_000, items: [] });
    const [approved, paused, canceled] = [
      await host.start(definitionID, order('one'), 'order-1'),
      await host.start(definitionID, order('two'), 'order-2'),
      await host.start(definitionID, order('three'), 'order-3'),
    ];
    const stopped = await host.start(definitionID, { orderID: 'without-a-total', items: [] }, 'order-4');
    await host.call('executor', 'POST', `/external-jobs/${await jobOf(stopped)}/complete`, { workflowID: stopped });
    // Before the last 24 hours, which are counted exactly.
    const past = { from: 160, to: 26, incidentShare: 0.03 };
    await insertPastHours(host.databaseUrl, { ...past, processID: 'order-fulfilment', atNoon: 140, medianMs: 90_000 });
    await insertPastHours(host.databaseUrl, { ...past, processID: 'collect-payment', atNoon: 120, medianMs: 240_000 });
    const reserve = await jobOf(approved);
    await host.call('executor', 'POST', `/external-jobs/${reserve}/complete`, { workflowID: approved });
    await jobOf(paused);
    await host.call('admin', 'POST', `/instances/${paused}/suspend`, {});
    await host.call('editor', 'DELETE', `/instances/${canceled}`);
    await vi.waitFor(
      async () =>
        expect(await host.call('viewer', 'GET', '/statistics')).toMatchObject({
          instances: { running: 3, paused: 1, withIncident: 1, overTarget: 3 },
          userTasks: { open: 1 },
          last24Hours: { started: 4, canceled: 1, incidents: 1 },
          slowestNodes: [{ nodeID: expect.any(String) }, {}, {}],
        }),
      { timeout: 60_000, interval: 500 },
    );
  });

  /** The pending job of an instance, once it has one. */
  async function jobOf(workflowID: string): Promise<string> {
    const found = await vi.waitFor(
      async () =>
        (await console.host.call('viewer', 'GET', `/instances/${workflowID}/external-jobs`)).data[0] ??
        expect.unreachable('no job yet'),
      { timeout: 20_000 },
    );
    return found.executionKey;
  }

  const figure = (page: Page, label: string) =>
    page.getByRole('main').getByRole('listitem').filter({ hasText: label }).first();

  it('is the first page, and shows the present numbers and those of the last 24 hours', async () => {
    const page = await console.open('viewer');
    await page.waitForURL(/\/projects\/demo\/dashboard$/);
    await vi.waitFor(async () => expect(await figure(page, 'Running').innerText()).toMatch(/^3\s+Running/), {
      timeout: 10_000,
    });
    expect(await figure(page, 'Over target').innerText()).toMatch(/^3\s+Over target/);
    expect(await page.getByRole('region', { name: 'Last 24 hours', exact: true }).innerText()).toMatch(/4\s+Started/);
    await page.getByRole('img', { name: /^Instances per hour/ }).waitFor();
    await checkScreen(page, 'dashboard');
    await page.setViewportSize({ width: 390, height: 800 });
    await checkScreen(page, 'dashboard-narrow');
  });

  const lines = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody tr');

  it('draws the last day, its numbers in a table, and the processes that stand out', async () => {
    const page = await console.open('viewer', address);
    for (const name of [/^Instances per hour, last 24/, /^Incidents per hour, last 24/])
      await page.getByRole('img', { name }).waitFor();
    await page.getByRole('heading', { name: 'No instance completed' }).first().waitFor();
    await page.getByText('Show the numbers of the charts in a table').click();
    const started = lines(page, 'Hour by hour').getByRole('link', { name: '4', exact: true });
    await started.first().waitFor();
    expect(await started.first().getAttribute('href')).toMatch(/instances\?createdAfter=.+&createdBefore=/);
    await lines(page, 'Busiest processes')
      .getByRole('link', { name: /^Order/ })
      .click();
    await page.waitForURL((url) => url.pathname.endsWith('/processes/order-fulfilment'));
    expect(new URL(page.url()).search).toBe('?view=count&range=24h');
  });

  it('switches to the last week with the keyboard, and keeps it in the address', async () => {
    const page = await console.open('viewer', address);
    const choice = page.getByRole('group', { name: 'Time of the trend' });
    await choice.getByRole('button', { name: 'Last day', pressed: true }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await choice.getByRole('button', { name: 'Last week', pressed: true }).waitFor();
    await page.waitForURL((url) => url.searchParams.get('range') === '7d');
    const slowest = lines(page, 'Slowest processes').first();
    await slowest.getByRole('link', { name: 'Collect payment' }).waitFor();
    await page.getByRole('img', { name: /^Duration of completed instances, last 7/ }).waitFor();
    await page.evaluate('document.querySelector("main").scrollBy(0, 500)');
    await checkScreen(page, 'dashboard-week');
    await page.setViewportSize({ width: 390, height: 800 });
    await checkScreen(page, 'dashboard-week-narrow');
    await slowest.getByRole('link', { name: 'Collect payment' }).click();
    await page.waitForURL((url) => url.search === '?view=time&range=7d');
  });

  it('leads from the largest group of incidents to those of its cause', async () => {
    const page = await console.open('viewer', address);
    const [group] = (await console.host.call('viewer', 'GET', '/incidents/groups?status=open')).data;
    await page
      .getByRole('region', { name: 'Largest groups of open incidents' })
      .getByRole('link', { name: `at ${group.nodeID}` })
      .click();
    await page.waitForURL((url) => url.pathname.endsWith('/incidents'));
    await page.getByRole('main').getByText(group.message).first().waitFor();
    expect(await page.getByLabel('Node id').inputValue()).toBe(group.nodeID);
  });

  it('sends one request for the trend and one for the groups, next to those for the numbers', async () => {
    const sent: string[] = [];
    const page = await console.open('viewer', address, async (opened) =>
      opened.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith('/projects/demo/bpmn/')) sent.push(pathname.replace('/projects/demo/bpmn/', ''));
      }),
    );
    await page.getByRole('img', { name: /^Instances per hour/ }).waitFor();
    await page.getByRole('table', { name: 'Largest groups' }).waitFor();
    expect(sent.toSorted()).toEqual(['incidents/groups', 'processes', 'statistics', 'statistics/trend']);
  });

  it.each([
    ['Running', 3],
    ['Paused', 1],
    ['Over target', 3],
    ['Canceled', 1],
    ['Started', 4],
  ])('leads from %s to a list of as many', async (label, count) => {
    const page = await console.open('viewer', address);
    await page.getByRole('link', { name: new RegExp(`^${count} ?${label}`) }).click();
    await vi.waitFor(
      async () => expect(await page.getByRole('table', { name: 'Instances' }).locator('tbody tr').count()).toBe(count),
      { timeout: 10_000 },
    );
    expect(new URL(page.url()).pathname).toBe('/console/projects/demo/instances');
  });

  it('leads executors to tasks, and viewers to none, because they see only their own', async () => {
    const viewer = await console.open('viewer', address);
    await figure(viewer, 'Open tasks').waitFor();
    expect(await viewer.getByRole('link', { name: /Open tasks/ }).count()).toBe(0);
    await viewer.context().clearCookies();
    const page = await console.open('executor', address);
    await page.getByRole('link', { name: /1 ?Open tasks/ }).click();
    await page.getByRole('tab', { name: 'All open', selected: true }).waitFor();
    await page.getByText('Approve order').first().waitFor();
  });

  it.each([
    ['Unassigned tasks', 'Assignment', 'true'],
    ['Overdue tasks', 'Due', 'overdue'],
  ])('leads from %s to those of all open tasks', async (label, field, value) => {
    const page = await console.open('executor', address);
    await figure(page, label).getByRole('link').click();
    await page.getByRole('tab', { name: 'All open', selected: true }).waitFor();
    expect(await page.getByLabel(field, { exact: true }).inputValue()).toBe(value);
  });

  it('leads from a slow node to the durations of its process', async () => {
    const page = await console.open('viewer', address);
    await page
      .getByRole('table', { name: 'Slowest nodes' })
      .getByRole('link', { name: /ReserveStock/ })
      .click();
    await page.getByRole('tab', { name: 'Time', selected: true }).waitFor();
    expect(await page.getByLabel('Time', { exact: true }).and(page.locator('select')).inputValue()).toBe('24h');
  });

  it('marks instances over their target in the list, which filters by it', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances?overTarget=true&status=RUNNING');
    const rows = page.getByRole('table', { name: 'Instances' }).locator('tbody tr');
    await rows.filter({ hasText: 'order-1' }).getByText('Over target').waitFor();
    expect(await rows.count()).toBe(3);
    await page.getByRole('button', { name: 'Over target', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('dialog', { name: 'Add filter' }).getByRole('button', { name: 'Duration' }).click();
    await page.getByLabel('Not over target').check();
    await page.getByRole('heading', { name: 'No instances match' }).waitFor();
  });
});
