import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { withOtherID } from './support/files.js';
import { exampleFile } from './support/host.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('migrating an instance', () => {
  const console = useConsole();
  let first: string;

  beforeAll(async () => {
    const file = exampleFile('order-fulfilment.bpmn');
    await console.host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
    first = await console.host.deploy('order-fulfilment.bpmn', file);
    await console.host.deploy('order-fulfilment-2.bpmn', withOtherID(file, 'ReserveStock', 'BookStock'));
  });

  const stateOf = (workflowID: string) => console.host.call('viewer', 'GET', `/instances/${workflowID}`);

  async function begun(): Promise<{ workflowID: string; page: InstancePage; dialog: Locator }> {
    const workflowID = await console.host.start(first, { orderID: 'order-1', total: 120, items: [] });
    const page = new InstancePage(await console.open('editor', InstancePage.address(workflowID)));
    await page.mark('ReserveStock', 'token').first().waitFor();
    const dialog = await page.ask('Migrate');
    await dialog.getByLabel('Target version').selectOption({ label: 'Version 2 (order-fulfilment-2.bpmn)' });
    return { workflowID, page, dialog };
  }

  it('shows every issue before anything moves, and continues with a mapping made on both diagrams', async () => {
    const { workflowID, page, dialog } = await begun();
    const button = dialog.getByRole('button', { name: 'Migrate' });
    await dialog.getByText('Active, and without an element of the same id in version 2: Reserve stock.').waitFor();
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel('Element of version 1').selectOption('ApproveOrder');
    await dialog.getByLabel('Element of version 2').selectOption('Approved');
    await dialog.getByRole('button', { name: 'Map', exact: true }).click();
    await dialog.getByRole('button', { name: 'Validate' }).click();
    await dialog.getByText('2 issues to resolve first:').waitFor();
    await dialog.getByText(/a token is at ReserveStock, .* map it to another element/).waitFor();
    await dialog.getByText(/ApproveOrder is a .*, but Approved in the target version is a/).waitFor();
    expect(await button.isDisabled()).toBe(true);
    await checkScreen(page.page, 'instance-migrate-refused');

    await dialog.getByRole('button', { name: 'Remove the mapping of Approve order' }).click();
    await InstancePage.nodeIn(dialog.getByRole('group', { name: 'Diagram of version 1' }), 'ReserveStock').click();
    await dialog.getByText('Now click the counterpart of Reserve stock in version 2.').waitFor();
    await InstancePage.nodeIn(dialog.getByRole('group', { name: 'Diagram of version 2' }), 'BookStock').click();
    await dialog
      .getByRole('list', { name: 'Mappings' })
      .getByText('Reserve stock (ReserveStock) → Reserve stock (BookStock)')
      .waitFor();
    await dialog.getByLabel('Reason').fill('version 2 books');
    await dialog.getByRole('button', { name: 'Validate' }).click();
    await dialog.getByText('No issues found.').waitFor();
    await checkScreen(page.page, 'instance-migrate');
    expect(await stateOf(workflowID)).toMatchObject({ processVersion: 1 });
    await button.click();
    await page.said('Instance migrated.').waitFor();
    await page.mark('BookStock', 'token').waitFor();
    expect(await stateOf(workflowID)).toMatchObject({
      processVersion: 2,
      activeScopes: [{ activeNodes: { BookStock: 1 } }],
    });
  });

  it('is done by lists alone, on a narrow window, and asks for another validation when the plan has changed since', async () => {
    const { workflowID, page, dialog } = await begun();
    const button = dialog.getByRole('button', { name: 'Migrate' });
    await page.page.setViewportSize({ width: 420, height: 800 });
    const validate = async () => {
      await dialog.getByRole('button', { name: 'Validate' }).click();
      await dialog.getByText('No issues found.').waitFor();
    };
    await dialog.getByLabel('Element of version 1').selectOption('ReserveStock');
    await dialog.getByLabel('Element of version 2').selectOption('BookStock');
    await dialog.getByRole('button', { name: 'Map', exact: true }).click();
    await validate();
    await checkScreen(page.page, 'instance-migrate-narrow');
    await dialog.getByRole('button', { name: 'Remove the mapping of Reserve stock' }).click();
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel('Element of version 1').selectOption('ReserveStock');
    await dialog.getByLabel('Element of version 2').selectOption('BookStock');
    await dialog.getByRole('button', { name: 'Map', exact: true }).click();
    await dialog.getByLabel('Variables to set').fill('{ "department": "sales" }');
    expect(await button.isDisabled()).toBe(true);
    await validate();
    await button.click();
    await page.said('Instance migrated.').waitFor();
    expect(await stateOf(workflowID)).toMatchObject({ processVersion: 2, variables: { department: 'sales' } });
  });

  it('shows why when the instance has ended in the meantime, and moves nothing', async () => {
    const { workflowID, dialog } = await begun();
    await console.host.call('editor', 'DELETE', `/instances/${workflowID}`);
    await dialog.getByRole('button', { name: 'Validate' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/CANCELED/)
      .waitFor();
    expect(await dialog.getByRole('button', { name: 'Migrate' }).isDisabled()).toBe(true);
  });
});
