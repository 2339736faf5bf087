import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('the screens for batches', () => {
  const console = useConsole();
  const workflowIDs: string[] = [];

  beforeAll(async () => {
    const definitionID = await console.host.deploy('ship.bpmn', sequenceModel('ship', [serviceTask('pack')]));
    for (let index = 0; index < 3; index += 1) workflowIDs.push(await console.host.start(definitionID));
  });

  it('performs one operation on all that match the filters, after showing how many and which they are', async () => {
    const page = await console.open('editor', '/console/projects/demo/instances?processId=ship&status=RUNNING');
    await page.getByRole('button', { name: 'Create a batch' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 instances match').waitFor();
    await dialog.getByText(workflowIDs[0]!).waitFor();
    expect(await dialog.getByRole('option', { name: 'Suspend' }).count()).toBe(0);
    await dialog.getByLabel('Operation').selectOption('Set variables');
    await dialog.getByLabel('Variables').fill('{ "express": true }');
    await dialog.getByLabel('Reason').fill('late parcels');
    await dialog.getByRole('button', { name: 'Set variables: 3 instances' }).click();
    await page.waitForURL(/\/batches\//);
    await page.getByText('3 done of 3.').waitFor();
    await page.getByRole('link', { name: workflowIDs[2]! }).waitFor();
    await page.getByText('late parcels').waitFor();
    for (const workflowID of workflowIDs)
      expect(await console.host.call('viewer', 'GET', `/instances/${workflowID}`)).toMatchObject({
        variables: { express: true },
      });
    await checkScreen(page, 'batch');
  });

  it('lets an editor pause, resume, and cancel a batch', async () => {
    const named = Array.from({ length: 100 }, (_, index) => `nothing-${index}`);
    const body = { operation: 'CANCEL', workflowIDs: named, itemsPerSecond: 1 };
    const { batchID } = await console.host.call('editor', 'POST', '/batches', body);
    const page = await console.open('editor', `/console/projects/demo/batches/${batchID}`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Running', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel the batch' }).click();
    await page.getByText('Canceled', { exact: true }).first().waitFor();
    await page.getByText(/\d+ canceled of 100\./).waitFor();
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Batches' }).last().click();
    await page.getByText('3 done of 3').waitFor();
    await checkScreen(page, 'batches');
  });

  it('erases ended instances for an admin', async () => {
    const [ended, ...rest] = workflowIDs;
    await console.host.call('editor', 'DELETE', `/instances/${ended}`);
    const page = await console.open('admin', '/console/projects/demo/instances?processId=ship');
    await page.getByRole('button', { name: 'Create a batch' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Operation').selectOption('Erase');
    await dialog.getByText('cannot be restored').waitFor();
    await dialog.getByRole('button', { name: 'Erase: 3 instances' }).click();
    await page.waitForURL(/\/batches\//);
    await page.getByText('1 done').waitFor();
    await page.getByText('2 rejected').waitFor();
    const { data } = await console.host.call('viewer', 'GET', '/instances?processId=ship');
    expect(data.map(({ workflowID }: { workflowID: string }) => workflowID).toSorted()).toEqual(rest.toSorted());
  });

  it('offers no batch without a filter', async () => {
    const page = await console.open('editor', '/console/projects/demo/instances');
    await page.locator(`tbody a[href$="${workflowIDs[1]}"]`).waitFor();
    expect(await page.getByRole('button', { name: 'Create a batch' }).count()).toBe(0);
  });

  it('offers none to viewers', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances?processId=ship');
    await page.locator(`tbody a[href$="${workflowIDs[1]}"]`).waitFor();
    expect(await page.getByRole('button', { name: 'Create a batch' }).count()).toBe(0);
  });
});
