import { beforeAll, describe, expect, it, vi } from 'vitest';
import { endEvent, on, processModel, startEvent } from '@perdure/testkit/models';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { exampleFile } from './support/host.js';

vi.setConfig({ testTimeout: 90_000 });

const processes = '/console/projects/demo/processes';

describe.skipIf(reasonToSkip)('the processes of a project', () => {
  const console = useConsole();
  let first: string;

  beforeAll(async () => {
    const { host } = console;
    await host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
    first = await host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
    await host.deploy('order-fulfilment-2.bpmn', exampleFile('order-fulfilment.bpmn'));
    await host.start(first, { orderID: 'one', total: 10, items: [] }, 'one');
  });

  it('are listed with what runs of them, and lead to their versions', async () => {
    const page = await console.open('viewer', processes);
    const row = page.getByRole('table', { name: 'Processes' }).locator('tbody tr', { hasText: 'order-fulfilment' });
    await row.waitFor();
    expect(await row.locator('td').nth(2).innerText()).toBe('2');
    await checkScreen(page, 'processes');
    await row.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Version 2', exact: true }).waitFor();
    await page.locator('.djs-element').first().waitFor();
    await page.getByRole('table', { name: 'Versions' }).getByRole('link', { name: 'Version 1', exact: true }).click();
    await page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor();
    await page.locator('.djs-element').first().waitFor();
    expect(new URL(page.url()).searchParams.get('version')).toBe(first);
    expect(await page.getByRole('button', { name: /this version/ }).count()).toBe(0);
    expect(await page.getByText('Start an instance').count()).toBe(0);
    await checkScreen(page, 'process');
    await page
      .getByRole('table', { name: 'Versions' })
      .locator('tbody tr', { hasText: 'Version 1' })
      .getByRole('link', { name: '1', exact: true })
      .first()
      .click();
    await page.getByText('one', { exact: true }).waitFor();
  });

  it('have timers that an editor runs now, or whose next tick the editor skips', async () => {
    const { host } = console;
    const events = [startEvent('every-morning', on.cycle('0 0 9 * * MON-FRI')), endEvent('end')];
    await host.deploy('report.bpmn', processModel('daily-report', events, ['f: every-morning -> end']));
    const page = await console.open('editor', `${processes}/daily-report`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Run now' }).click();
    await dialog.getByLabel('Reason').fill('The report of today is late.');
    await dialog.getByRole('button', { name: 'Run now' }).click();
    await page.getByText('Instance started.').waitFor();
    await page.getByRole('button', { name: 'Skip next' }).click();
    await dialog.getByRole('button', { name: 'Skip the next tick' }).click();
    await page.getByText('The next tick is skipped.').waitFor();
    await checkScreen(page, 'process-start-timers');
  });

  it('have a version suspended and resumed by an admin, who says why', async () => {
    const page = await console.open('admin', `${processes}/order-fulfilment?version=${first}`);
    await page.getByRole('button', { name: 'Suspend this version' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('The stock is counted.');
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByText('The stock is counted.').waitFor();
    await page.locator('.djs-element').first().waitFor();
    await checkScreen(page, 'process-suspended');
    expect(await page.getByRole('button', { name: 'Start an instance' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Resume this version' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByRole('button', { name: 'Suspend this version' }).waitFor();
    expect(await page.getByText('The stock is counted.').count()).toBe(0);
  });

  it('have the starts of all versions suspended at once, and one version suspended later', async () => {
    const page = await console.open('admin', `${processes}/order-fulfilment?version=${first}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Suspend this version' }).click();
    await dialog.getByLabel('Scope').selectOption('Starts only');
    await dialog.getByLabel('Versions').selectOption({ value: 'process' });
    await dialog.getByLabel('Reason').fill('Last orders.');
    await checkScreen(page, 'process-suspend');
    await dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByText('Version 1 starts no new instances.').waitFor();
    await page.getByText('Starts paused', { exact: true }).nth(1).waitFor();
    expect(await page.getByRole('button', { name: 'Start an instance' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Resume this version' }).click();
    await dialog.getByLabel('Versions').selectOption({ value: 'process' });
    await dialog.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByText('Version 1 starts no new instances.').waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Suspend this version' }).click();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    await dialog.getByLabel('When (empty: now)').fill(tomorrow);
    await dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByText('Version 1 will be suspended.').waitFor();
    await checkScreen(page, 'process-suspension-scheduled');
    await page.getByRole('button', { name: 'Resume this version' }).click();
    await dialog.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByText('Version 1 will be suspended.').waitFor({ state: 'hidden' });
  });

  it('are started by an editor, who is led to the instance', async () => {
    const page = await console.open('editor', `${processes}/order-fulfilment`);
    await page.getByRole('link', { name: 'Start an instance' }).click();
    await page.getByLabel('Business id').fill('order-17');
    await page
      .getByLabel('Variables')
      .fill('{ "orderID": "order-17", "total": 120, "items": [{ "sku": "kettle", "quantity": 1 }] }');
    await checkScreen(page, 'process-start');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForURL(/\/instances\/[^/?]+$/);
    await page.getByText('order-17', { exact: true }).first().waitFor();
  });

  it('show on the diagram of a version where its instances have failed', async () => {
    const { host } = console;
    const definitionID = await host.deploy(
      'collect-payment.bpmn',
      exampleFile('collect-payment.bpmn').replace(/taskDefinition type="[^"]*"/, 'taskDefinition type="=missing + 1"'),
    );
    await host.start(definitionID);
    await host.start(definitionID);
    await vi.waitFor(
      async () =>
        expect(
          (await host.call('viewer', 'GET', `/incidents?status=open&definitionID=${definitionID}`)).pagination.total,
        ).toBe(2),
      { timeout: 20_000 },
    );
    const page = await console.open('viewer', `${processes}/collect-payment?version=${definitionID}`);
    await page.locator('[data-mark="incident"]', { hasText: '2' }).waitFor();
    await page.locator('[data-mark="instance"]', { hasText: '2' }).waitFor();
    await page.getByText('2 incidents', { exact: true }).waitFor();
    await checkScreen(page, 'process-incidents');
  });

  it('show at which nodes of a version how many instances are, and lead to them', async () => {
    const { host } = console;
    const definitionID = await host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
    const order = { orderID: 'heat', total: 10_000, items: [] };
    const [approved] = [
      await host.start(definitionID, order, 'to-approve'),
      await host.start(definitionID, order),
      await host.start(definitionID, order),
      await host.start(definitionID, order),
    ];
    const { executionKey } = await vi.waitFor(
      async () =>
        (await host.call('viewer', 'GET', `/instances/${approved}/external-jobs`)).data[0] ??
        expect.unreachable('no job yet'),
      { timeout: 20_000 },
    );
    await host.call('executor', 'POST', `/external-jobs/${executionKey}/complete`, { workflowID: approved });
    const page = await console.open('viewer', `${processes}/order-fulfilment?version=${definitionID}`);
    const nodes = page.getByRole('table', { name: 'Nodes' });
    await nodes
      .locator('tbody tr', { hasText: 'ApproveOrder' })
      .getByRole('link', { name: '1', exact: true })
      .waitFor();
    await page.locator('[data-container-id="ReserveStock"] [data-mark="instance"]', { hasText: '3' }).waitFor();
    expect(await nodes.locator('tbody tr').first().innerText()).toMatch(/Reserve stock\s+ReserveStock\s+3\s+0/);
    expect(await page.getByRole('list', { name: 'Colors of the diagram' }).innerText()).toMatch(
      /1 instance\s+2 instances\s+3 instances/,
    );
    await checkScreen(page, 'process-heat');

    await page.locator('.djs-element[data-element-id="ApproveOrder"]').first().click();
    await page.getByRole('table', { name: 'Instances' }).getByText('to-approve', { exact: true }).waitFor();
    expect(await page.getByRole('table', { name: 'Instances' }).locator('tbody tr').count()).toBe(1);
    await page.getByRole('button', { name: 'Node id: ApproveOrder' }).waitFor();
  });

  it('say that an address names a version of another process', async () => {
    const page = await console.open('viewer', `${processes}/collect-payment?version=${first}`);
    await page.getByRole('heading', { name: 'Version not found' }).waitFor();
    await page.getByRole('link', { name: 'Version 1', exact: true }).waitFor();
  });
});
