import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { keyOfFlow } from '../../store/statistics/rows.js';
import { exampleFile } from './support/host.js';
import { insertPastStatistics, type PastNode } from './support/past-statistics.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

const address = '/console/projects/demo/processes/order-fulfilment';
const minute = 60_000;

const nodes: readonly PastNode[] = [
  { nodeID: '', share: 1, medianMs: 95 * minute, failedShare: 0.02 },
  { nodeID: 'OrderReceived', share: 1, medianMs: 5 },
  { nodeID: 'ReserveStock', share: 1, medianMs: 2 * minute, failedShare: 0.01, waitingShare: 0.3 },
  { nodeID: 'LargeOrder', share: 1, medianMs: 5 },
  { nodeID: 'ApproveOrder', share: 0.2, medianMs: 50 * minute, waitingShare: 0.7 },
  { nodeID: 'CollectPayment', share: 0.95, medianMs: 6 * minute, failedShare: 0.02 },
  { nodeID: 'PackAndShip', share: 0.9, medianMs: 70 * minute },
  { nodeID: 'PackItems', share: 0.9, medianMs: 20 * minute, waitingShare: 0.5 },
  { nodeID: 'NotifyCustomer', share: 0.9, medianMs: 800, waitingShare: 0.2 },
  ...(
    [
      ['Flow_Received', 1],
      ['Flow_Reserved', 0.99],
      ['Flow_Large', 0.2],
      ['Flow_NotLarge', 0.79],
      ['Flow_Approved', 0.16],
      ['Flow_Accepted', 0.95],
      ['Flow_Paid', 0.9],
      ['Flow_Shipped', 0.9],
    ] as const
  ).map(([flowID, share]) => ({ nodeID: keyOfFlow(flowID), share, medianMs: 0 })),
];
/** Approval takes longer than before, and packing takes less time. */
const changed = new Map([
  ['', 1.2],
  ['ApproveOrder', 1.5],
  ['PackItems', 0.5],
]);

describe.skipIf(reasonToSkip)('the statistics of a version', () => {
  const console = useConsole();

  beforeAll(async () => {
    const { host } = console;
    await host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
    await host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
    const second = await host.deploy(
      'order-fulfilment.bpmn',
      exampleFile('order-fulfilment.bpmn').replace('Large order?', 'Large order at all?'),
    );
    const processID = 'order-fulfilment';
    await insertPastStatistics(host.databaseUrl, { processID, version: 1, days: 29, perDay: 120, nodes });
    await insertPastStatistics(host.databaseUrl, {
      processID,
      version: 2,
      days: 29,
      perDay: 80,
      nodes: nodes.map((node) => ({ ...node, medianMs: node.medianMs * (changed.get(node.nodeID) ?? 1) })),
    });
    await host.call('editor', 'PUT', `/processes/${processID}/targets`, {
      targets: [{ duration: 'PT1S' }, { nodeID: 'ReserveStock', duration: 'PT1S' }],
    });
    await host.start(second, { orderID: 'late', total: 10, items: [] }, 'order-late');
    await vi.waitFor(
      async () =>
        expect(
          (await host.call('viewer', 'GET', `/processes/${processID}/statistics?version=2`)).targets,
        ).toMatchObject([
          { duration: 'PT1S', missed: 1 },
          { nodeID: 'ReserveStock', missed: 1 },
        ]),
      { timeout: 90_000, interval: 1_000 },
    );
  });

  const label = (page: Page, nodeID: string) =>
    page.locator(`[data-container-id="${nodeID}"] [data-mark="label"]`).first();
  const rowOf = (page: Page, table: string, text: string) =>
    page.getByRole('table', { name: table }).locator('tbody tr', { hasText: text });

  it('show how often nodes were entered, on the diagram and in a table', async () => {
    const page = await console.open('viewer', address);
    await page.getByRole('tab', { name: 'Now', selected: true }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Count', selected: true }).waitFor();
    await label(page, 'ReserveStock').waitFor();
    // The page begins with a whole day.
    const since = new Date(Math.floor(Date.now() / 86_400_000 - 29) * 86_400_000).toISOString();
    const { nodes: counted } = await console.host.call(
      'viewer',
      'GET',
      `/processes/order-fulfilment/statistics?version=2&since=${since}`,
    );
    const { started } = counted.find(({ nodeID }: { nodeID: string }) => nodeID === 'ReserveStock');
    expect(await label(page, 'ReserveStock').getAttribute('title')).toBe(
      `Entered ${started.toLocaleString('en')} times`,
    );
    expect(await rowOf(page, 'Nodes', 'Reserve stock').innerText()).toContain(started.toLocaleString('en'));
    await page.locator('[data-container-id="Flow_Large"] [data-mark="label"]').waitFor();
    await page.locator('canvas').first().waitFor();
    await checkScreen(page, 'process-count');
  });

  it('show how long nodes take, and which missed their target', async () => {
    const page = await console.open('viewer', `${address}?view=time`);
    await label(page, 'ApproveOrder').waitFor();
    await page.locator('[data-container-id="ReserveStock"] [data-mark="late"]', { hasText: '1' }).waitFor();
    await rowOf(page, 'Nodes', 'Reserve stock').getByText('1 over target').waitFor();
    await page.locator('canvas').first().waitFor();
    await checkScreen(page, 'process-time');
    await page.setViewportSize({ width: 390, height: 800 });
    await checkScreen(page, 'process-time-narrow');
    await page.setViewportSize({ width: 1440, height: 900 });
    const missed = rowOf(page, 'Duration targets', 'The whole instance').getByRole('link', { name: '1', exact: true });
    await missed.click();
    await page.getByRole('table', { name: 'Instances' }).getByText('order-late', { exact: true }).waitFor();
  });

  it('compare with another version: slower and faster by color and by number', async () => {
    const page = await console.open('viewer', `${address}?view=time`);
    await page.getByLabel('Compare with').selectOption('1');
    await vi.waitFor(async () => expect(await label(page, 'PackItems').innerText()).toMatch(/^−(4[5-9]|5[0-5]) %$/), {
      timeout: 20_000,
    });
    expect(await label(page, 'ApproveOrder').innerText()).toMatch(/^\+(4\d|5\d) %$/);
    await rowOf(page, 'Nodes', 'Approve order').getByText('slower').waitFor();
    await rowOf(page, 'Nodes', 'Pack items').getByText('faster').waitFor();
    await page.locator('figcaption').getByText('Median, version 1').waitFor();
    await checkScreen(page, 'process-compare');
    await page.locator('figure').last().scrollIntoViewIfNeeded();
    await checkScreen(page, 'process-trend');
  });

  it('have a table with the numbers of the charts, which lead to instances', async () => {
    const page = await console.open('viewer', `${address}?view=count&range=24h`);
    await page.getByText('Show the numbers in a table').focus();
    await page.keyboard.press('Enter');
    const table = page.getByRole('table', { name: 'Over time' });
    expect(await table.locator('tbody tr').count()).toBe(24);
    await table.getByRole('link', { name: '1', exact: true }).first().click();
    await page.getByRole('table', { name: 'Instances' }).getByText('order-late', { exact: true }).waitFor();
  });

  it('have targets that editors change, and no others', async () => {
    const viewer = await console.open('viewer', `${address}?view=time`);
    await rowOf(viewer, 'Duration targets', 'Reserve stock').waitFor();
    expect(await viewer.getByRole('button', { name: 'Change the targets' }).count()).toBe(0);
    await viewer.context().clearCookies();

    const page = await console.open('editor', `${address}?view=time`);
    await page.getByRole('button', { name: 'Change the targets' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add a target' }).click();
    const third = dialog.getByRole('group', { name: 'Target 3' });
    await third.getByLabel('For').selectOption({ label: 'Approve order' });
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await third.getByLabel('At most').fill('soon');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    await third.getByLabel('At most').fill('1h30m');
    await dialog.getByRole('button', { name: 'Remove target 2' }).click();
    await checkScreen(page, 'process-targets');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Targets changed.').waitFor();
    await rowOf(page, 'Duration targets', 'Approve order').getByText('1 h 30 min').waitFor();
    expect(await console.host.call('viewer', 'GET', '/processes/order-fulfilment/targets')).toEqual({
      targets: [{ duration: 'PT1S' }, { nodeID: 'ApproveOrder', duration: 'PT1H30M' }],
    });
  });
});
