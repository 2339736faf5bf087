/** Lists whose rows have large values leave some of them out: the console reads those when a person asks for them. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { tokenFor } from '../support/infrastructure.js';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { fileWithDecisions } from './support/files.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 90_000 });

/** A page has five of them, of which the last exceeds its limit. */
const LARGE = 'x'.repeat(1_000_000);
const ROWS = 6;
/** A text of a file has half a million characters at most. */
const COMMENTS = `<!--${LARGE.slice(0, 500_000)}-->`.repeat(2);

const decisions = '/console/projects/demo/decisions/discounts';

describe.skipIf(reasonToSkip)('values that a list leaves out', () => {
  const console = useConsole();

  async function post<Answer>(path: string, body: object): Promise<Answer> {
    const response = await fetch(`${console.host.url}/projects/demo/dmn/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokenFor('editor')}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path} was answered ${response.status}: ${await response.text()}`);
    return response.json() as Promise<Answer>;
  }

  beforeAll(async () => {
    for (let version = 1; version <= ROWS; version += 1) {
      const xml = fileWithDecisions.replace('amount * (1', `amount * (${version}`);
      const { id } = await post<{ id: string }>('definitions', { name: 'Discounts', xml: `${xml}${COMMENTS}` });
      if (version > 1) continue;
      for (let amount = 1; amount <= ROWS; amount += 1)
        await post(`definitions/${id}/evaluate`, { context: { amount, note: LARGE } });
    }
  });

  it('are read with the version of a DMN file that is selected, and with the evaluation that is opened', async () => {
    const page = await console.open('viewer', `${decisions}?version=1`);
    await page.getByText('amount * (1 - discount)', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Recorded evaluations' }).click();
    const shown = page.getByRole('table', { name: 'Evaluations' }).getByRole('button', { name: 'Show' });
    await expect.poll(() => shown.count()).toBe(ROWS);
    await Promise.all([page.waitForRequest(/\/dmn\/executions\/[^/]+$/), shown.last().click()]);
    const inputs = page.getByRole('dialog').getByRole('group', { name: 'Inputs' });
    await inputs.getByText('amount').waitFor();
    expect((await inputs.innerText()).replaceAll(/\s+/g, ' ')).toContain('amount 1 ');
    await checkScreen(page, 'decision-evaluation-large');
  });

  it('are not shown with a job, which says where they are', async () => {
    const names = Array.from({ length: ROWS }, (_, at) => `Pack${at}`);
    const model = processModel(
      'parcels',
      [startEvent('Start'), ...names.map((name) => serviceTask(name, { name, type: 'pack' })), endEvent('End')],
      names.map((name) => `Start -> ${name} -> End`),
    );
    const workflowID = await console.host.start(await console.host.deploy('parcels.bpmn', model), { note: LARGE });
    await vi.waitFor(
      async () => {
        const { data } = await console.host.call('viewer', 'GET', `/instances/${workflowID}/external-jobs`);
        expect(data).toHaveLength(ROWS);
      },
      { timeout: 10_000 },
    );
    const page = new InstancePage(await console.open('viewer', InstancePage.address(workflowID, '?tab=jobs')));
    await page.page.getByRole('button', { name: 'Details of Pack0' }).click();
    const dialog = page.page.getByRole('dialog');
    await dialog.getByText('The Variables tab has the variables of the instance').waitFor();
    await checkScreen(page.page, 'instance-job-large');
  });
});
