import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { exampleFile } from './support/host.js';

vi.setConfig({ testTimeout: 90_000 });

interface Job {
  executionKey: string;
  workflowID: string;
  businessId: string;
}

describe.skipIf(reasonToSkip)('the lists of what waits', () => {
  const console = useConsole();

  beforeAll(async () => {
    const { host } = console;
    await host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
    const definitionID = await host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
    const order = (id: string, total: number) =>
      host.start(definitionID, { orderID: id, total, items: [{ sku: 'kettle', quantity: 1 }] }, id);
    await order('small', 120);
    await order('large', 1500);
    const jobs: Job[] = [];
    const poll = { taskType: 'reserve-stock', clientID: 'stock-room', maxJobs: 2, lockDuration: '10m' };
    while (jobs.length < 2) jobs.push(...(await host.call<Job[]>('executor', 'POST', '/external-jobs/poll', poll)));
    for (const { executionKey, workflowID, businessId } of jobs) {
      if (businessId === 'large')
        await host.call('executor', 'POST', `/external-jobs/${executionKey}/complete`, {
          workflowID,
          clientID: 'stock-room',
          variables: { reserved: true },
        });
    }
  });

  it('queues show how much waits and who asks for it', async () => {
    const page = await console.open('viewer', '/console/projects/demo/jobs');
    const queue = page.getByRole('table', { name: 'Queues' }).locator('tbody tr', { hasText: 'reserve-stock' });
    await queue.getByText('stock-room').waitFor();
    await checkScreen(page, 'jobs');

    await queue.getByRole('button', { name: 'Pending jobs' }).click();
    const jobs = page.getByRole('table', { name: 'Jobs' }).locator('tbody tr');
    // The list shows all jobs until those of the filter have come.
    await expect.poll(() => jobs.allInnerTexts()).toEqual([expect.stringContaining('reserve-stock')]);
  });

  it('a task is claimed, found among one’s own, and completed', async () => {
    const page = await console.open('executor', '/console/projects/demo/tasks?view=all');
    const tasks = page.getByRole('table', { name: 'Tasks' }).locator('tbody tr');
    await tasks.getByRole('button', { name: 'Claim', exact: true }).click();
    await tasks.getByRole('button', { name: 'Unclaim' }).waitFor();
    await checkScreen(page, 'tasks');

    await page.getByRole('tab', { name: 'My tasks' }).click();
    await tasks.getByText('large').waitFor();
    await tasks.getByRole('button', { name: 'Complete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('{"approved": true}');
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await page.getByText('No tasks for you').waitFor();
  });

  it('a viewer has no list of all tasks', async () => {
    const page = await console.open('viewer', '/console/projects/demo/tasks?view=all');
    await page.getByText('No tasks for you').waitFor();
    expect(await page.getByRole('tab', { name: 'All open' }).count()).toBe(0);
  });
});
