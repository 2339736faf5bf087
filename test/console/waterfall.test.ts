import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { longFile } from './support/files.js';
import { exampleFile } from './support/host.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

const clientID = 'the-shop';

describe.skipIf(reasonToSkip)('the waterfall of an instance', () => {
  const console = useConsole();
  let workflowID: string;

  /** An order that stopped at an incident, was approved and paid, and is being packed. */
  beforeAll(async () => {
    const { host } = console;
    await host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
    const definitionID = await host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
    workflowID = await host.start(definitionID, { orderID: 'order-1', items: [] }, 'order-1');
    await work('reserve-stock');
    const [incident] = await vi.waitFor(
      async () => {
        const { data } = await host.call('viewer', 'GET', `/instances/${workflowID}/incidents`);
        expect(data).toHaveLength(1);
        return data;
      },
      { timeout: 20_000 },
    );
    const variables = { total: 1500, items: [{ sku: 'oven', quantity: 1 }] };
    await host.call('editor', 'POST', `/instances/${workflowID}/incidents/${incident.incidentID}/resolve`, {
      variables,
    });
    const task = await host.openTask(workflowID);
    await host.call('executor', 'POST', `/user-tasks/${task}/claim`, {});
    await host.call('executor', 'POST', `/user-tasks/${task}/complete`, { variables: { approved: true } });
    await work('charge-card', { paymentID: 'payment-1' });
    await vi.waitFor(
      async () => {
        const { data } = await host.call('viewer', 'GET', `/instances/${workflowID}/external-jobs?status=PENDING`);
        expect(data).toMatchObject([{ nodeID: 'PackItems' }]);
      },
      { timeout: 40_000 },
    );
  });

  /** Leases and completes the next job of a type. */
  async function work(taskType: string, variables: object = {}): Promise<void> {
    const [job] = await console.host.call('executor', 'POST', '/external-jobs/poll', {
      taskType,
      clientID,
      timeout: '20s',
    });
    await console.host.call('executor', 'POST', `/external-jobs/${job.executionKey}/complete`, {
      workflowID: job.workflowID,
      clientID,
      variables,
    });
  }

  const open = async (query = '?view=waterfall') => console.open('viewer', InstancePage.address(workflowID, query));
  const waterfall = (page: Page) => page.getByRole('list', { name: 'Waterfall' });
  /** The row of a node, without the rows inside it. */
  const row = (page: Page, nodeID: string) =>
    waterfall(page).getByRole('listitem').filter({ hasText: nodeID }).last().locator('> div').first();

  const scrollToEnd = (page: Page) => page.evaluate('document.querySelector("main").scrollBy(0, 5_000)');

  it('is a view of the history that the address keeps, and the keyboard reaches', async () => {
    const page = await open('');
    const views = page.getByRole('group', { name: 'View of the history' });
    await views.getByRole('button', { name: 'Table', pressed: true }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await waterfall(page).waitFor();
    await page.waitForURL((url) => url.searchParams.get('view') === 'waterfall');
    await views.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('table', { name: 'activations' }).waitFor();
    expect(new URL(page.url()).searchParams.has('view')).toBe(false);
  });

  it('says in words when each activation started, waited, and was worked on, and marks incidents', async () => {
    const page = await open();
    await row(page, 'ReserveStock').waitFor();
    expect(await row(page, 'ReserveStock').textContent()).toMatch(
      /Started after .+, waited .+, worked .+\. Completed\./,
    );
    expect(await row(page, 'ApproveOrder').textContent()).toMatch(/waited .+, worked .+\. Completed\./);
    expect(await row(page, 'PackItems').textContent()).toMatch(/waited .+\. Still running\./);
    const [gateway] = await waterfall(page)
      .getByText(/Incident raised after .+, resolved after/)
      .allTextContents();
    expect(gateway).toContain('Completed.');
    await page.getByText(/^All \d+ activations$/).waitFor();
  });

  it('nests activations by their scope, and called instances when they are opened', async () => {
    const page = await open();
    const scope = waterfall(page).getByRole('listitem').filter({ hasText: 'PackAndShip' }).last();
    await scope.getByRole('list').getByText('PackItems').waitFor();
    expect(await page.getByText('ChargeCard').and(waterfall(page).locator('code')).count()).toBe(0);
    const call = waterfall(page).getByRole('button', { name: /CollectPayment.*called instance/ });
    await call.press('Enter');
    const called = page.getByRole('list', { name: /^Called instance/ });
    await called.getByText('Charge card').waitFor();
    expect(await called.textContent()).toMatch(/ChargeCard.*waited .+, worked/);
    await scrollToEnd(page);
    await checkScreen(page, 'instance-waterfall');
    await page.setViewportSize({ width: 390, height: 800 });
    await scrollToEnd(page);
    await checkScreen(page, 'instance-waterfall-narrow');
    await call.press('Enter');
    await called.waitFor({ state: 'detached' });
  });

  it('marks the activations of the selected node', async () => {
    const page = await open('?view=waterfall&node=ReserveStock');
    await waterfall(page).locator('[aria-current=true]').getByText('ReserveStock').waitFor();
    expect(await waterfall(page).locator('[aria-current=true]').count()).toBe(1);
  });

  it('loads a long history in parts, and says how many it shows', async () => {
    const long = await console.host.start(await console.host.deploy('long.bpmn', longFile(70)));
    const page = await console.open('viewer', InstancePage.address(long, '?view=waterfall'));
    await page.getByText(/^The first 50 of \d+ activations$/).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText(/^All \d+ activations$/).waitFor();
    await waterfall(page).getByText('Task_69').waitFor();
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });
});
