import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { fileWithParcels } from './support/files.js';
import { exampleFile } from './support/host.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('modifying an instance', () => {
  const console = useConsole();
  let definitionID: string;

  beforeAll(async () => {
    await console.host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
    definitionID = await console.host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
  });

  const scopesOf = async (workflowID: string) =>
    (await console.host.call('viewer', 'GET', `/instances/${workflowID}`)).activeScopes;

  async function begun(): Promise<{ workflowID: string; page: InstancePage }> {
    const workflowID = await console.host.start(definitionID, { orderID: 'order-1', total: 120, items: [] });
    const page = new InstancePage(await console.open('admin', InstancePage.address(workflowID, '?tab=timeline')));
    await page.mark('ReserveStock', 'token').first().waitFor();
    return { workflowID, page };
  }

  it('takes a token away and puts another one elsewhere, by clicks on the diagram', async () => {
    const { workflowID, page } = await begun();
    const dialog = await page.ask('Modify');
    const diagram = dialog.getByRole('group', { name: 'Diagram to choose nodes from' });
    await InstancePage.nodeIn(diagram, 'ReserveStock').click();
    expect(await dialog.getByLabel('Node', { exact: true }).inputValue()).toBe('ReserveStock');
    await dialog.getByRole('button', { name: 'Cancel a token at node' }).click();
    await InstancePage.nodeIn(diagram, 'PackItems').click();
    expect(await dialog.getByRole('button', { name: 'Cancel a token at node' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Start before node' }).click();
    await dialog.getByLabel('Variables for Pack items').fill('{ "carrier": ');
    expect(await dialog.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Variables for Pack items').fill('{ "carrier": "by phone" }');
    await dialog.getByLabel('Reason').fill('the stock was counted by hand');
    await checkScreen(page.page, 'instance-modify');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.said('Instance modified.').waitFor();
    await page.mark('PackItems', 'token').waitFor();
    await page.row('the stock was counted by hand').waitFor();
    expect(await scopesOf(workflowID)).toMatchObject([
      { activeNodes: { PackAndShip: 1 } },
      { nodeID: 'PackAndShip', activeNodes: { PackItems: 1 } },
    ]);
  });

  it('shows every issue, and keeps the instructions', async () => {
    const { workflowID, page } = await begun();
    const dialog = await page.ask('Modify');
    for (const nodeID of ['OutOfStock', 'PaymentDeclined', 'NotifyCustomer']) {
      await dialog.getByLabel('Node', { exact: true }).selectOption(nodeID);
      await dialog.getByRole('button', { name: 'Start before node' }).click();
    }
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByText('2 issues to resolve first').waitFor();
    await dialog.getByRole('alert').getByText('instruction 1 (START_BEFORE_NODE OutOfStock)').waitFor();
    await dialog.getByRole('alert').getByText('instruction 2 (START_BEFORE_NODE PaymentDeclined)').waitFor();
    expect(
      await dialog
        .getByRole('alert')
        .evaluate(
          (alert: any) =>
            alert.getBoundingClientRect().bottom <=
            alert.closest('dialog').querySelector('footer').getBoundingClientRect().top,
        ),
    ).toBe(true);
    await checkScreen(page.page, 'instance-modify-refused');
    expect(await scopesOf(workflowID)).toMatchObject([{ activeNodes: { ReserveStock: 1 } }]);
    await dialog.getByRole('button', { name: 'Remove: Start before Out of stock' }).click();
    await dialog.getByRole('button', { name: 'Remove: Start before Payment declined' }).click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.said('Instance modified.').waitFor();
    expect(await scopesOf(workflowID)).toMatchObject([{ activeNodes: { ReserveStock: 1, NotifyCustomer: 1 } }]);
  });

  it('asks in which scope where a node is active in several, without a diagram too', async () => {
    const workflowID = await console.host.start(await console.host.deploy('with-parcels.bpmn', fileWithParcels));
    const page = new InstancePage(await console.open('admin', InstancePage.address(workflowID)));
    await page.row('Pack').first().waitFor();
    const dialog = await page.ask('Modify');
    await dialog.getByLabel('Node', { exact: true }).selectOption('Pack');
    await dialog.getByRole('button', { name: 'Cancel a token at node' }).click();
    await dialog.getByRole('button', { name: 'Start before node' }).click();
    const scopes = dialog.getByLabel('Scope of Pack');
    const options = await scopes.first().locator('option').allTextContents();
    expect(options).toEqual([
      'Choose',
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^Parcel.* \(scope \d+, at Pack\)$/)),
    ]);
    expect(await scopes.nth(1).locator('option').allTextContents()).toEqual(options);
    await scopes.first().selectOption({ index: 2 });
    expect(await dialog.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    await scopes.nth(1).selectOption({ index: 1 });
    await checkScreen(page.page, 'instance-modify-scopes');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.said('Instance modified.').waitFor();
    const parcels = (await scopesOf(workflowID)).filter(({ activeNodes }: any) => 'Pack' in activeNodes);
    expect(parcels.map(({ activeNodes }: any) => activeNodes)).toEqual([{ Pack: 2 }, { Pack: 1 }]);
  });

  it('says that the instance is canceled when no token is left', async () => {
    const { workflowID, page } = await begun();
    const dialog = await page.ask('Modify');
    await dialog.getByLabel('Node', { exact: true }).selectOption('ReserveStock');
    await dialog.getByRole('button', { name: 'Cancel a token at node' }).click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.said('The instance is canceled because the modification left no token in it').waitFor();
    expect(await console.host.call('viewer', 'GET', `/instances/${workflowID}`)).toMatchObject({ status: 'CANCELED' });
  });
});
