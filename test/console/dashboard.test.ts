import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { exampleFile } from './support/host.js';

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
    const reserve = await jobOf(approved);
    await host.call('executor', 'POST', `/external-jobs/${reserve}/complete`, { workflowID: approved });
    await jobOf(paused);
    await host.call('admin', 'POST', `/instances/${paused}/suspend`, {});
    await host.call('editor', 'DELETE', `/instances/${canceled}`);
    await vi.waitFor(
      async () =>
        expect(await host.call('viewer', 'GET', '/statistics')).toMatchObject({
          instances: { running: 2, paused: 1, overTarget: 2 },
          userTasks: { open: 1 },
          last24Hours: { started: 3, canceled: 1 },
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
    await vi.waitFor(async () => expect(await figure(page, 'Running').innerText()).toMatch(/^2\s+Running/));
    expect(await figure(page, 'Over target').innerText()).toMatch(/^2\s+Over target/);
    expect(await page.getByRole('region', { name: 'Last 24 hours', exact: true }).innerText()).toMatch(/3\s+Started/);
    await checkScreen(page, 'dashboard');
    await page.setViewportSize({ width: 390, height: 800 });
    await checkScreen(page, 'dashboard-narrow');
  });

  it.each([
    ['Running', 2],
    ['Paused', 1],
    ['Over target', 2],
    ['Canceled', 1],
    ['Started', 3],
  ])('leads from %s to a list of as many', async (label, count) => {
    const page = await console.open('viewer', address);
    await page.getByRole('link', { name: new RegExp(`^${count} ?${label}`) }).click();
    await vi.waitFor(async () =>
      expect(await page.getByRole('table', { name: 'Instances' }).locator('tbody tr').count()).toBe(count),
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
    expect(await rows.count()).toBe(2);
    await page.getByLabel('Duration').selectOption('false');
    await page.getByRole('heading', { name: 'No instances match' }).waitFor();
  });
});
