import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { sequenceModel, userTask } from '@perdure/testkit/models';

vi.setConfig({ testTimeout: 90_000 });

const address = '/console/projects/demo/audit';

describe.skipIf(reasonToSkip)('the screen for the audit log', () => {
  const console = useConsole();
  let workflowID: string;

  beforeAll(async () => {
    const definitionID = await console.host.deploy('approve.bpmn', sequenceModel('approval', [userTask('approve')]));
    const body = { processDefinitionID: definitionID, businessId: 'order-17' };
    ({ workflowID } = await console.host.call('executor', 'POST', '/instances', body));
    const { data } = await vi.waitFor(
      async () => {
        const found = await console.host.call('executor', 'GET', `/instances/${workflowID}/user-tasks`);
        expect(found.data).toHaveLength(1);
        return found;
      },
      { timeout: 10_000 },
    );
    await console.host.call('executor', 'POST', `/user-tasks/${data[0].executionKey}/complete`, {
      variables: { approved: true },
      reason: 'within budget',
    });
  });

  it('shows who approved an order, when, and why', async () => {
    const page = await console.open('admin', `${address}?businessId=order-17`);
    await page.getByRole('row', { name: /Start instance/ }).waitFor();
    await checkScreen(page, 'audit');
    await page.getByLabel('Operation').selectOption('Complete user task');
    await page.getByRole('row', { name: /Start instance/ }).waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: /Complete user task/ });
    await row.getByText('within budget').waitFor();
    await row.getByText('Applied').waitFor();
    await row.getByRole('button', { name: 'Details of Complete user task' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('approved', { exact: true }).waitFor();
    await checkScreen(page, 'audit-entry');
    await dialog.getByRole('link', { name: workflowID }).click();
    await page.waitForURL(new RegExp(`/instances/${workflowID}$`));
  });

  it('shows what was set, and what it replaced', async () => {
    await console.host.changeSettings({ historyRetention: 'P7D' });
    await console.host.changeSettings({ historyRetention: 'P1D', validateForms: true });
    const page = await console.open('admin', `${address}?operation=ChangeProjectSettings`);
    await page.getByRole('button', { name: 'Details of Change project settings' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('History retention', { exact: true }).waitFor();
    await dialog.getByText('P7D → P1D', { exact: true }).waitFor();
    await dialog.getByText('no → yes', { exact: true }).waitFor();
    await checkScreen(page, 'audit-details');
  });

  it('downloads what the filters match', async () => {
    const page = await console.open('admin', `${address}?businessId=order-17`);
    await page.getByRole('row', { name: /Start instance/ }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('demo-audit.ndjson');
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line).operation)).toEqual(['CompleteBpmnUserTask', 'StartBpmnInstance']);
  });

  it('is used by keyboard alone, and on a narrow window', async () => {
    const page = await console.open('admin', address);
    await page.setViewportSize({ width: 420, height: 800 });
    await page.getByLabel('Business id').focus();
    await page.keyboard.type('order-17');
    await page.waitForURL(/businessId=order-17/);
    const details = page.getByRole('button', { name: 'Details of Start instance' });
    await details.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('StartBpmnInstance').waitFor();
    await checkScreen(page, 'audit-entry-narrow');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await checkScreen(page, 'audit-narrow');
    await page.getByRole('button', { name: 'Clear' }).focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('row', { name: /Deploy resource/ })
      .first()
      .waitFor();
  });

  it('says what fills it where nothing matches', async () => {
    const page = await console.open('admin', `${address}?actor=nobody`);
    await page.getByRole('heading', { name: 'No changes' }).waitFor();
  });

  it('is nothing that an editor sees', async () => {
    const page = await console.open('editor', '/console/projects/demo/instances');
    await page.getByRole('link', { name: 'Incidents' }).waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
  });
});
