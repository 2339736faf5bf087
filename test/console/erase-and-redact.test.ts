import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sequenceModel, userTask } from '@perdure/testkit/models';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('an ended instance', () => {
  const console = useConsole();
  let workflowID: string;

  beforeAll(async () => {
    const definitionID = await console.host.deploy('pay.bpmn', sequenceModel('pay', [userTask('approve')]));
    workflowID = await console.host.start(definitionID, { iban: 'DE00 1234', total: 120 });
    await console.host.call('editor', 'DELETE', `/instances/${workflowID}?reason=test`);
  });

  it('offers neither erasing nor redacting to editors', async () => {
    const page = new InstancePage(await console.open('editor', InstancePage.address(workflowID)));
    await page.page.getByRole('button', { name: 'Restart' }).waitFor();
    expect(await page.page.getByRole('button', { name: /Erase|Redact/ }).count()).toBe(0);
  });

  it('is redacted by an admin, who sees that the value is null, and erased', async () => {
    const page = new InstancePage(await console.open('admin', InstancePage.address(workflowID)));
    const redact = await page.ask('Redact');
    await redact.getByText('The process has iban, total.').waitFor();
    await redact.getByLabel('Variables').fill('iban\nname\n');
    await redact.getByLabel('Reason').fill('on request');
    await checkScreen(page.page, 'instance-redact');
    await redact.getByRole('button', { name: 'Redact' }).click();
    await page.said('Variables redacted.').waitFor();
    await page.page.getByText('iban, name', { exact: true }).waitFor();
    expect(await page.page.getByText('DE00 1234').count()).toBe(0);
    expect(await console.host.call('viewer', 'GET', `/instances/${workflowID}`)).toMatchObject({
      variables: { iban: null, total: 120 },
    });

    const erase = await page.ask('Erase');
    await checkScreen(page.page, 'instance-erase');
    await erase.getByRole('button', { name: 'Erase' }).click();
    await page.said('Instance erased.').waitFor();
    await page.page.waitForURL((url) => url.pathname.endsWith('/instances'));
    const { data } = await console.host.call('viewer', 'GET', '/instances');
    expect(data).toEqual([]);
  });
});
