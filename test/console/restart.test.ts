import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { InstancePage } from './support/instance-page.js';
import { sequenceModel, userTask } from '@perdure/testkit/models';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('restarting an instance', () => {
  const console = useConsole();
  let definitionID: string;

  beforeAll(async () => {
    definitionID = await console.host.deploy(
      'approval.bpmn',
      sequenceModel('approval', [userTask('approve'), userTask('archive')]),
    );
  });

  async function canceled(): Promise<{ workflowID: string; page: InstancePage }> {
    const workflowID = await console.host.start(definitionID, { total: 120, items: [] });
    await console.host.call('editor', 'DELETE', `/instances/${workflowID}?reason=test`);
    const page = new InstancePage(await console.open('admin', InstancePage.address(workflowID)));
    return { workflowID, page };
  }

  it('starts a new instance at a node, and each names the other', async () => {
    const { workflowID, page } = await canceled();
    const dialog = await page.ask('Restart');
    await dialog.getByLabel('Variables to replace').fill('{ "total": 7 }');
    await dialog.getByLabel('Start at instead of the start event').selectOption('archive');
    await dialog.getByLabel('Reason').fill('canceled by mistake');
    await checkScreen(page.page, 'instance-restart');
    await dialog.getByRole('button', { name: 'Restart' }).click();
    await page.said('Instance restarted.').waitFor();
    await page.page.waitForURL((url) => !url.pathname.endsWith(workflowID));
    const restarted = new URL(page.page.url()).pathname.split('/').at(-1)!;
    await page.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await console.host.call('viewer', 'GET', `/instances/${restarted}`)).variables).toMatchObject({ total: 7 });
    expect((await console.host.call('viewer', 'GET', `/instances/${restarted}`)).activeScopes).toMatchObject([
      { activeNodes: { archive: 1 } },
    ]);
    await page.page.getByRole('link', { name: workflowID.slice(0, 8) }).click();
    await page.page.getByRole('link', { name: restarted.slice(0, 8) }).waitFor();
  });
});
