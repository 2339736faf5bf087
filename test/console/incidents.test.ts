import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { endEvent, processModel, scriptTask, startEvent } from '@perdure/testkit/models';

vi.setConfig({ testTimeout: 90_000 });

const file = processModel(
  'pricing',
  [startEvent('Start'), scriptTask('Price', '=amount * 2', 'price', { name: 'Work out the price' }), endEvent('End')],
  'Start -> Price -> End',
);

describe.skipIf(reasonToSkip)('the screen for incidents', () => {
  const console = useConsole();
  const workflowIDs: string[] = [];

  beforeAll(async () => {
    const definitionID = await console.host.deploy('pricing.bpmn', file);
    for (let index = 0; index < 3; index += 1) workflowIDs.push(await console.host.start(definitionID));
    await vi.waitFor(
      async () => expect((await console.host.call('viewer', 'GET', '/incidents?status=open')).pagination.total).toBe(3),
      { timeout: 20_000 },
    );
  });

  it('shows what failed for the same cause as one, with their instances', async () => {
    const page = await console.open('viewer', '/console/projects/demo/incidents');
    await page.getByText('3 open').waitFor();
    await page.getByRole('button', { name: 'Show 3 instances' }).click();
    await page.getByRole('link', { name: workflowIDs[0]! }).waitFor();
    expect(await page.getByRole('button', { name: 'Resolve all 3' }).count()).toBe(0);
    await checkScreen(page, 'incidents');
  });

  it('lets an editor resolve all of them with one correction', async () => {
    const page = await console.open('editor', '/console/projects/demo/incidents');
    await page.getByRole('button', { name: 'Resolve all 3' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Variables to set first').fill('{ "amount": 21 }');
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('3 of 3 retried.').waitFor();
    await page.getByRole('heading', { name: 'No open incident' }).waitFor();
    for (const workflowID of workflowIDs)
      expect(await console.host.call('viewer', 'GET', `/instances/${workflowID}`)).toMatchObject({
        status: 'COMPLETED',
        variables: { price: 42 },
      });
    await page.getByLabel('Status').selectOption('Resolved');
    await page.waitForURL(/status=resolved/);
    await page.getByRole('button', { name: 'Show 3 instances' }).click();
    await page
      .getByText(/ by editor/)
      .first()
      .waitFor();
  });

  it('says that nothing is open', async () => {
    const page = await console.open('viewer', '/console/projects/demo/incidents?errorType=JobLockLost');
    await page.getByRole('heading', { name: 'No incident matches' }).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.waitForURL((url) => !url.searchParams.has('errorType'));
  });
});
