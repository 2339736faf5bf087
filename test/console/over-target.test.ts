import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sequenceModel, userTask } from '@perdure/testkit/models';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('an instance that takes longer than its target', () => {
  const console = useConsole();
  let workflowID: string;

  beforeAll(async () => {
    const definitionID = await console.host.deploy('approve.bpmn', sequenceModel('approve', [userTask('Approve')]));
    const targets = [{ duration: 'PT1S' }, { nodeID: 'Approve', duration: 'PT1S' }];
    await console.host.call('editor', 'PUT', '/processes/approve/targets', { targets });
    workflowID = await console.host.start(definitionID, {}, 'order-1');
    await vi.waitFor(
      async () =>
        expect(await console.host.call('viewer', 'GET', `/instances/${workflowID}`)).toMatchObject({
          overTarget: true,
        }),
      { timeout: 20_000 },
    );
  });

  it('is marked in the list, on its page, and where it waits', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances?overTarget=true');
    const row = page.locator('tbody tr', { hasText: 'order-1' });
    await row.getByText('Over target').waitFor();
    await page.goto(`${console.host.url}${InstancePage.address(workflowID, '?node=Approve')}`);
    await page.getByText('Over target', { exact: true }).first().waitFor();
    await page.getByText('Over target', { exact: true }).nth(1).waitFor();
    await checkScreen(page, 'instance-over-target');
  });
});
