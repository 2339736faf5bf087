import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { eventually } from '../support/eventually.js';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { shownByRefresh, withClock } from './support/refresh.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('limits of task types', () => {
  const console = useConsole();
  let started: string[];

  beforeAll(async () => {
    const { host } = console;
    const extensions = '<perdure:limit xmlns:perdure="urn:perdure:bpmn" key="=customer"/>';
    const model = sequenceModel('limited', [serviceTask('charge', { type: 'charge-card', extensions })]);
    const definitionID = await host.deploy('limited.bpmn', model);
    started = [
      await host.start(definitionID, { customer: 'c-1' }),
      await host.start(definitionID, { customer: 'c-1' }),
    ];
    const poll = { taskType: 'charge-card', clientID: 'bank', maxJobs: 1, lockDuration: '1h', timeout: '20s' };
    await host.call('executor', 'POST', '/external-jobs/poll', poll);
    await eventually(
      () => host.call('viewer', 'GET', '/external-jobs?taskType=charge-card'),
      ({ data }) => data.length === 2,
    );
  });

  it('are added, changed, and removed by admins, who see what is held back and by which key', async () => {
    const page = await console.open('admin', '/console/projects/demo/jobs');
    await page.getByRole('button', { name: 'Add a limit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Task type', { exact: true }).fill('charge-card');
    await dialog.getByLabel('Concurrency', { exact: true }).fill('1');
    await checkScreen(page, 'limit-add');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const row = page.getByRole('table', { name: 'Limits' }).locator('tbody tr', { hasText: 'charge-card' });
    await row.getByText('"c-1": 1 leased, 1 held back').waitFor();
    await page.getByText('Held back by the concurrency limit').waitFor();
    await checkScreen(page, 'limits');

    await page.getByRole('button', { name: 'Edit the limit of charge-card' }).click();
    await dialog.getByLabel('Rate', { exact: true }).fill('5');
    await dialog.getByLabel('Window', { exact: true }).fill('1m');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByText('5 per PT1M').waitFor();
  });

  it('are shown to viewers without keys, and at the node that waits', async () => {
    const page = await console.open('viewer', '/console/projects/demo/jobs');
    const row = page.getByRole('table', { name: 'Limits' }).locator('tbody tr', { hasText: 'charge-card' });
    await row.waitFor();
    expect(await page.getByText('c-1').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Add a limit' }).count()).toBe(0);
    const { data } = await console.host.call('viewer', 'GET', '/external-jobs?taskType=charge-card');
    const held = data.find(({ heldBy }: { heldBy?: string }) => heldBy !== undefined);
    expect(started).toContain(held.workflowID);
    await page.goto(new URL(`/console/projects/demo/instances/${held.workflowID}?tab=jobs`, page.url()).href);
    await page.getByRole('table').getByText('Held back by the concurrency limit').waitFor();
  });

  it('are removed', async () => {
    const page = await console.open('admin', '/console/projects/demo/jobs');
    await page.getByRole('button', { name: 'Remove the limit of charge-card' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No limits').waitFor();
  });

  it('are shown in pages, next to the pages of jobs', async () => {
    const types = Array.from({ length: 51 }, (_, index) => `archive-${String(index).padStart(2, '0')}`);
    const { host } = console;
    await Promise.all(types.map((type) => host.callProject('admin', 'PUT', `/limits/${type}`, { concurrent: 1 })));
    const page = await console.open('viewer', '/console/projects/demo/jobs', withClock);
    const pages = page.getByRole('navigation', { name: 'Pages of limits' });
    const last = page.getByRole('table', { name: 'Limits' }).locator('tbody tr', { hasText: 'archive-50' });
    await pages.getByText('1–50 of 51 limits').waitFor();
    expect(await last.count()).toBe(0);
    await pages.getByRole('button', { name: 'Next page' }).click();
    await last.waitFor();
    await page.waitForURL(/\?limitsPage=2$/);
    const pagesOfJobs = page.getByRole('navigation', { name: 'Pages of jobs' });
    await pagesOfJobs.getByText('1–2 of 2 jobs').waitFor();
    expect(await pagesOfJobs.getByRole('button').count()).toBe(0);

    await host.callProject('admin', 'DELETE', '/limits/archive-50');
    await shownByRefresh(page, page.getByText('No limits on this page'));
    await pages.getByText('None of 50 limits').waitFor();
    await pages.getByRole('button', { name: 'Previous page' }).click();
    await pages.getByText('1–50 of 50 limits').waitFor();
  });
});
