import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { withOtherID } from './support/files.js';
import { exampleFile } from './support/host.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 90_000 });

const order = { orderID: 'order-1', total: 10_000, items: [] };

describe.skipIf(reasonToSkip)('migrating the instances of a version', () => {
  const console = useConsole();
  let first: string;
  let second: string;

  beforeAll(async () => {
    const file = exampleFile('order-fulfilment.bpmn');
    await console.host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
    first = await console.host.deploy('order-fulfilment.bpmn', file);
    second = await console.host.deploy('order-fulfilment-2.bpmn', withOtherID(file, 'ReserveStock', 'BookStock'));
  });

  afterEach(async () => {
    const { data } = await console.host.call('viewer', 'GET', '/instances?status=RUNNING');
    for (const { workflowID } of data) await console.host.call('editor', 'DELETE', `/instances/${workflowID}`);
    await vi.waitFor(async () => expect(await runningOf(first)).toBe(0), { timeout: 20_000 });
  });

  const runningOf = async (definitionID: string): Promise<number> =>
    (await console.host.call('viewer', 'GET', `/instances?status=RUNNING&definitionID=${definitionID}`)).pagination
      .total;

  /** Starts instances that wait at ReserveStock. */
  async function waiting(...businessIds: string[]): Promise<string[]> {
    const started = await Promise.all(businessIds.map((businessId) => console.host.start(first, order, businessId)));
    await vi.waitFor(
      async () =>
        expect((await console.host.call('viewer', 'GET', `/definitions/${first}/nodes`)).unplacedInstances).toBe(0),
      { timeout: 20_000 },
    );
    return started;
  }

  async function ask(): Promise<{ page: Page; dialog: Locator }> {
    const page = await console.open('editor', `/console/projects/demo/processes/order-fulfilment?version=${first}`);
    await page.getByRole('button', { name: 'Migrate instances' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Target version').selectOption({ label: 'Version 2 (order-fulfilment-2.bpmn)' });
    return { page, dialog };
  }

  it('moves those that are chosen, by a mapping made on both diagrams', async () => {
    await waiting('one', 'two', 'three');
    const { page, dialog } = await ask();
    await dialog.getByText('Active, and without an element of the same id in version 2: Reserve stock.').waitFor();
    await InstancePage.nodeIn(dialog.getByRole('group', { name: 'Diagram of version 1' }), 'ReserveStock').click();
    await InstancePage.nodeIn(dialog.getByRole('group', { name: 'Diagram of version 2' }), 'BookStock').click();
    await dialog.getByLabel('Instances', { exact: true }).selectOption('some');
    await dialog.getByLabel('Node', { exact: true }).selectOption('ReserveStock');
    await dialog.getByRole('button', { name: 'Choose all 3' }).click();
    await dialog.getByText('3 chosen').waitFor();
    await dialog.getByRole('row', { name: /two/ }).getByRole('checkbox').uncheck();
    await dialog.getByText('2 chosen').waitFor();
    expect(await dialog.getByRole('button', { name: 'Migrate', exact: true }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Validate' }).click();
    await dialog.getByText('Checked 2 instances.').waitFor();
    await checkScreen(page, 'process-migrate');
    expect(await runningOf(first)).toBe(3);
    await dialog.getByRole('button', { name: 'Migrate', exact: true }).click();
    await page.getByText('Completed: 2 migrated, 0 refused, 0 pending of 2.').waitFor();
    expect([await runningOf(first), await runningOf(second)]).toEqual([1, 2]);
  });

  it('moves all of them, by lists alone', async () => {
    await waiting('four');
    const { page, dialog } = await ask();
    await dialog.getByLabel('Element of version 1').selectOption('ReserveStock');
    await dialog.getByLabel('Element of version 2').selectOption('BookStock');
    await dialog.getByRole('button', { name: 'Map', exact: true }).click();
    await dialog.getByRole('button', { name: 'Validate' }).click();
    await dialog.getByText('Checked one instance.').waitFor();
    await dialog.getByRole('button', { name: 'Migrate', exact: true }).click();
    await page.getByText('Completed: 1 migrated, 0 refused, 0 pending of 1.').waitFor();
    expect(await runningOf(first)).toBe(0);
  });

  it('shows each issue with the number of instances, migrates the rest, and lists why the others were refused', async () => {
    const [ahead] = await waiting('ahead', 'behind');
    const { executionKey } = (await console.host.call('viewer', 'GET', `/instances/${ahead}/external-jobs`)).data[0];
    await console.host.call('executor', 'POST', `/external-jobs/${executionKey}/complete`, { workflowID: ahead });
    await vi.waitFor(
      async () =>
        expect(
          (await console.host.call('viewer', 'GET', `/instances?activeNodeID=ApproveOrder&definitionID=${first}`))
            .pagination.total,
        ).toBe(1),
      { timeout: 20_000 },
    );
    const { page, dialog } = await ask();
    await dialog.getByRole('button', { name: 'Validate' }).click();
    await dialog.getByText(/a token is at ReserveStock, .* \(1 of 2 instances, for example /).waitFor();
    await dialog.getByRole('button', { name: 'Migrate valid instances' }).click();
    await page.getByText('Completed: 1 migrated, 1 refused, 0 pending of 2.').waitFor();
    const results = page.getByRole('table', { name: 'Instances of the migration' });
    await results
      .locator('tbody tr', { hasText: 'Refused' })
      .getByText(/a token is at ReserveStock/)
      .waitFor();
    await checkScreen(page, 'process-migration');
    await results.getByRole('link', { name: ahead }).click();
    await page.getByText('ahead', { exact: true }).first().waitFor();
  });

  it('is not offered to an executor', async () => {
    const page = await console.open('executor', `/console/projects/demo/processes/order-fulfilment?version=${first}`);
    await page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Migrate instances' }).count()).toBe(0);
  });
});
