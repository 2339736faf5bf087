import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('a batch operation on all instances of a list', () => {
  const console = useConsole();
  const workflowIDs: string[] = [];

  beforeAll(async () => {
    const model = (id: string) => sequenceModel(id, [serviceTask('pack'), userTask('check')]);
    const first = await console.host.deploy('ship.bpmn', model('ship'));
    for (let index = 0; index < 2; index += 1) workflowIDs.push(await console.host.start(first));
    await console.host.deploy('ship.bpmn', model('ship').replace('id="check"', 'id="check" name="Check the parcel"'));
  });

  async function ask(person: 'editor' | 'admin', operation: string): Promise<{ page: Page; dialog: Locator }> {
    const page = await console.open(person, '/console/projects/demo/instances?processId=ship&status=RUNNING');
    await page.getByRole('button', { name: 'Create a batch' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 instances match').waitFor();
    await dialog.getByLabel('Operation').selectOption(operation);
    return { page, dialog };
  }

  it('migrates them to another version', async () => {
    const { page, dialog } = await ask('editor', 'Migrate');
    const submit = dialog.getByRole('button', { name: 'Migrate: 2 instances' });
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel('Target version').fill('2');
    await checkScreen(page, 'batch-migrate');
    await submit.click();
    await page.getByText('2 done of 2.').waitFor();
    for (const workflowID of workflowIDs)
      expect(await console.host.call('viewer', 'GET', `/instances/${workflowID}`)).toMatchObject({ processVersion: 2 });
  });

  it('modifies them for an admin', async () => {
    const { page, dialog } = await ask('admin', 'Modify');
    await dialog.getByLabel('Cancel the token at node').fill('pack');
    await dialog.getByLabel('Start before node').fill('check');
    await dialog.getByRole('button', { name: 'Modify: 2 instances' }).click();
    await page.getByText('2 done of 2.').waitFor();
    const { data } = await console.host.call('viewer', 'GET', '/instances?activeNodeID=check');
    expect(data.map(({ workflowID }: { workflowID: string }) => workflowID).toSorted()).toEqual(workflowIDs.toSorted());
  });

  it('offers an editor no modification', async () => {
    const { dialog } = await ask('editor', 'Migrate');
    expect(await dialog.getByRole('option', { name: 'Modify' }).count()).toBe(0);
  });
});
