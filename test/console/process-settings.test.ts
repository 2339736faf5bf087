import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sequenceModel, userTask } from '@perdure/testkit/models';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('a process with settings', () => {
  const console = useConsole();
  let definitionID: string;

  beforeAll(async () => {
    definitionID = await console.host.deploy('approve.bpmn', sequenceModel('approve', [userTask('Approve')]));
  });

  it('is given a limit by an admin, and queued instances are marked and say since when they wait', async () => {
    const page = await console.open('admin', '/console/projects/demo/processes/approve');
    await page.getByText('The number of running instances is not limited.').waitFor();
    await page.getByRole('button', { name: 'Edit settings' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Business ids').selectOption('RUNNING');
    await dialog.getByLabel('Maximum running instances').fill('1');
    await dialog.getByLabel('Reason').fill('One approval at a time.');
    await checkScreen(page, 'process-settings-dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('At most 1 instance runs at once.').waitFor();
    await page.getByText('Business ids are unique among running instances.').waitFor();
    await console.host.start(definitionID, {}, 'order-1');
    const queued = await console.host.start(definitionID, {}, 'order-2');
    await page.goto(`${console.host.url}/console/projects/demo/instances?processId=approve`);
    const row = (businessID: string) => page.locator('tbody tr', { hasText: businessID });
    await row('order-2').getByText('Queued').waitFor();
    expect(await row('order-1').getByText('Queued').count()).toBe(0);
    await page.goto(`${console.host.url}${InstancePage.address(queued)}`);
    await page.getByText('Its process runs as many instances as it may. Queued since').waitFor();
    await checkScreen(page, 'instance-queued');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('The instance is queued. It starts when another instance of its process ends.').waitFor();
  });

  it('shows its settings to viewers, who cannot change them', async () => {
    const page = await console.open('viewer', '/console/projects/demo/processes/approve');
    await page.getByText('At most 1 instance runs at once.').waitFor();
    expect(await page.getByRole('button', { name: 'Edit settings' }).count()).toBe(0);
  });
});
