import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sequenceModel, taskListeners, userTask } from '@perdure/testkit/models';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { filesWithLinkedForm } from './support/form-files.js';
import { shownByRefresh, withClock } from './support/refresh.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('the page of a task', () => {
  const console = useConsole();
  let definitionID: string;

  beforeAll(async () => {
    definitionID = await console.host.deployBundle(filesWithLinkedForm);
  });

  const addressOf = (executionKey: string) => `/console/projects/demo/tasks/${encodeURIComponent(executionKey)}`;

  /** Starts an order and answers its task. */
  async function order(businessId: string) {
    const workflowID = await console.host.start(definitionID, { total: 1500 }, businessId);
    return { workflowID, executionKey: await console.host.openTask(workflowID) };
  }

  const refused = (page: Page) => {
    const paths: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 404) paths.push(new URL(response.url()).pathname);
    });
    return paths;
  };

  it('lets a candidate with the role viewer claim, comment, and complete with a deployed form', async () => {
    const { workflowID, executionKey } = await order('claimed');
    const page = await console.open('viewer', '/console/projects/demo/tasks');
    const unanswered = refused(page);
    await page
      .getByRole('row', { name: /claimed/ })
      .getByRole('link', { name: 'Approve the order' })
      .click();
    await page.waitForURL((url) => url.pathname === addressOf(executionKey));
    await page.getByText('Orders above 1000 need a second look.').waitFor();
    await page.getByRole('region', { name: 'History of the instance' }).getByText('Determine the price').waitFor();
    await page
      .getByRole('region', { name: 'Position' })
      .locator('[class*="selected"][data-element-id="Approve"]')
      .waitFor();
    await page.getByRole('region', { name: 'Variables' }).getByText('1500').waitFor();

    await page.getByRole('button', { name: 'Claim', exact: true }).click();
    await page.getByRole('button', { name: 'Unclaim' }).waitFor();
    await page.getByRole('textbox', { name: 'Comment' }).fill('<b>Within</b> budget.');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByRole('list', { name: 'Comments' }).getByText('<b>Within</b> budget.').waitFor();

    await page.getByRole('button', { name: 'Complete' }).click();
    await page.getByText('Field is required').waitFor();
    await page.getByLabel('Note').fill('Fine');
    await page.getByLabel('Approved').check();
    await checkScreen(page, 'task');
    await page.setViewportSize({ width: 420, height: 800 });
    await checkScreen(page, 'task-narrow');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Complete' }).click();
    await page.getByRole('region', { name: 'Approve the order completed' }).waitFor();
    await vi.waitFor(
      async () =>
        expect(await console.host.call('viewer', 'GET', `/instances/${workflowID}`)).toMatchObject({
          status: 'COMPLETED',
          variables: { approved: true, note: 'Fine' },
        }),
      { timeout: 10_000 },
    );
    await page.getByText('Completed by').waitFor();
    expect(unanswered).toEqual([]);
  });

  it('leads to the next task, in the order of the due dates', async () => {
    const [{ executionKey }, next] = [await order('first'), await order('second')];
    const { data } = await console.host.call('executor', 'GET', '/user-tasks?status=CREATED&sort=dueDate&order=asc');
    const expected = data.find((task: { executionKey: string }) => task.executionKey !== executionKey);
    expect(data.map((task: { executionKey: string }) => task.executionKey)).toContain(next.executionKey);
    const page = await console.open('executor', `${addressOf(executionKey)}?view=all`);
    await page.getByLabel('Note').fill('Fine');
    await page.getByRole('button', { name: 'Complete' }).click();
    await page.waitForURL((url) => url.pathname === addressOf(expected.executionKey));
    await page.getByRole('button', { name: 'Complete' }).waitFor();
  });

  it('submits what was typed just before', async () => {
    const { workflowID, executionKey } = await order('typed at last');
    const page = await console.open('executor', addressOf(executionKey));
    await page.getByLabel('Note').focus();
    await page.evaluate(`
      document.activeElement.value = 'Fine';
      document.activeElement.dispatchEvent(new Event('input', { bubbles: true }));
      document.querySelector('button[type=submit][form]').form.requestSubmit();
    `);
    await page.getByRole('region', { name: 'Approve the order completed' }).waitFor();
    const { variables } = await console.host.call('viewer', 'GET', `/instances/${workflowID}`);
    expect(variables).toMatchObject({ note: 'Fine' });
  });

  it('takes a task over from the person that the question names, and from no other', async () => {
    const { executionKey } = await order('taken over');
    const assign = (assignee: string) =>
      console.host.call('executor', 'PATCH', `/user-tasks/${executionKey}`, { assignee });
    await assign('ada');
    const page = await console.open('executor', addressOf(executionKey));
    await page.getByRole('button', { name: 'Take over' }).click();
    const dialog = page.getByRole('dialog', { name: 'Take over Approve the order?' });
    await dialog.getByText('ada works on this task.').waitFor();
    await assign('grace');
    await dialog.getByRole('button', { name: 'Take over' }).click();
    await dialog.getByRole('alert').waitFor();
    await checkScreen(page, 'task-taken-over-refused');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('grace').first().waitFor();
    await page.getByRole('button', { name: 'Take over' }).click();
    await dialog.getByText('grace works on this task.').waitFor();
    await dialog.getByRole('button', { name: 'Take over' }).click();
    await page.getByRole('button', { name: 'Unclaim' }).waitFor();
  });

  it('keeps what a person has typed when another one completes the task', async () => {
    const { executionKey } = await order('two at once');
    const page = await console.open('viewer', addressOf(executionKey), withClock);
    await page.getByLabel('Note').fill('A long explanation');
    await console.host.call('executor', 'POST', `/user-tasks/${executionKey}/complete`, {
      variables: { approved: false, note: 'No' },
    });
    await shownByRefresh(page, page.getByText('was not submitted'));
    expect(await page.getByLabel('Note').inputValue()).toBe('A long explanation');
    expect(await page.getByRole('button', { name: 'Complete' }).isDisabled()).toBe(true);
    await page.getByRole('region', { name: 'Result' }).getByText('"No"').waitFor();
    await checkScreen(page, 'task-ended-meanwhile');
  });

  it('shows what the host refuses at the field that it is about', async () => {
    await console.host.changeSettings({ validateForms: true });
    const { executionKey } = await order('refused');
    const page = await console.open('executor', addressOf(executionKey));
    await page.getByLabel('Note').fill('Fine');
    // A person whose form is older than the one that the host checks.
    await page.route('**/complete', (route) =>
      route.continue({ postData: JSON.stringify({ variables: { note: '', lines: [{ sku: 'kettle' }, { sku: 7 }] } }) }),
    );
    await page.getByRole('button', { name: 'Complete' }).click();
    await page.getByText('2 issues to resolve first').waitFor();
    /** The announced description of a field that is marked as invalid. */
    const described = async (label: string, nth = 0) => {
      const field = page.getByLabel(label).nth(nth);
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      const ids = (await field.getAttribute('aria-describedby'))!.split(' ');
      return page.locator(ids.map((id) => `[id="${id}"]`).join(', ')).allInnerTexts();
    };
    expect(await described('Note')).toContainEqual(expect.stringContaining('Is required'));
    expect(await described('Article', 1)).toContainEqual(expect.stringContaining('Must be'));
    expect(await page.getByLabel('Article').first().getAttribute('aria-invalid')).not.toBe('true');
    await checkScreen(page, 'task-refused');
    await page.unroute('**/complete');
    await page.getByLabel('Note').fill('Better');
    await page.locator('[aria-invalid="true"]').nth(1).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Note').getAttribute('aria-invalid')).toBe('false');
    await page.getByRole('button', { name: 'Complete' }).click();
    // The page leads to the next task, if the person has one.
    const task = () => console.host.call('executor', 'GET', `/user-tasks/${executionKey}`);
    await vi.waitFor(async () => expect(await task()).toMatchObject({ status: 'COMPLETED' }), { timeout: 10_000 });
    await console.host.changeSettings({ validateForms: false });
  });

  it('reports an error with variables, which becomes an incident where nothing catches it', async () => {
    const { workflowID, executionKey } = await order('failed');
    const page = await console.open('viewer', addressOf(executionKey));
    await page.getByRole('button', { name: 'Report an error' }).click();
    const dialog = page.getByRole('dialog', { name: 'Fail Approve the order' });
    await dialog.getByLabel('Error code').fill('TOO_EXPENSIVE');
    await dialog.getByLabel('Variables').fill('{ "limit": 1000 }');
    await dialog.getByRole('button', { name: 'Fail' }).click();
    await page.getByRole('region', { name: 'Approve the order failed' }).waitFor();
    await page.getByText('TOO_EXPENSIVE').waitFor();
    await vi.waitFor(
      async () =>
        expect(await console.host.call('viewer', 'GET', `/instances/${workflowID}`)).toMatchObject({
          incidents: [{ errorCode: 'TOO_EXPENSIVE' }],
        }),
      { timeout: 10_000 },
    );
  });

  it('shows that a listener decides, and a denial that comes after the request, in the inbox and at the task', async () => {
    const { host } = console;
    const extensions = taskListeners({ completing: ['check-review'] });
    const reviewed = sequenceModel('reviewed', [userTask('review', { name: 'Review it', extensions })]);
    const executionKey = await host.openTask(
      await host.start(await host.deploy('reviewed.bpmn', reviewed), {}, 'late'),
    );
    const command = await host.call('executor', 'POST', `/user-tasks/${executionKey}/complete`, {}, 'wait=0');
    expect(command).toMatchObject({ status: 'PENDING' });
    const page = await console.open('executor', '/console/projects/demo/tasks?view=all', withClock);
    const row = page.getByRole('row', { name: /late/ });
    await row.getByText('Waits for a listener').waitFor();
    expect(await row.getByRole('button').count()).toBe(0);

    const [job] = await host.call('executor', 'POST', '/external-jobs/poll', {
      taskType: 'check-review',
      clientID: 'worker',
      timeout: '20s',
    });
    await host.call('executor', 'POST', `/external-jobs/${job.executionKey}/complete`, {
      workflowID: job.workflowID,
      clientID: 'worker',
      result: { denied: true, deniedReason: 'The amount is missing.' },
    });
    await shownByRefresh(page, row.getByText('completion denied'));
    await row.getByRole('link', { name: 'Review it' }).click();
    await page.getByText('A listener denied the completion of this task.').waitFor();
    await page.getByText('The amount is missing.').waitFor();
    await checkScreen(page, 'task-denied');
    expect(await page.getByRole('button', { name: 'Complete' }).isEnabled()).toBe(true);
  });

  it('says no more than that it is not found to those whom the task does not name', async () => {
    const workflowID = await console.host.start(
      await console.host.deploy('other.bpmn', filesWithLinkedForm['approval.bpmn'].replace('"viewer"', '"ada"')),
    );
    const page = await console.open('viewer', addressOf(await console.host.openTask(workflowID)));
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    expect(await page.getByRole('button', { name: 'Complete' }).count()).toBe(0);
  });
});
