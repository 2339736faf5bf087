import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { catchEvent, on, sequenceModel } from '@perdure/testkit/models';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole, type Person } from './support/console.js';
import { fileOfErrand, fileWithAdHoc, fileWithErrands, fileWithForm } from './support/files.js';
import { exampleFile } from './support/host.js';
import { InstancePage } from './support/instance-page.js';
import { shownByRefresh, withClock } from './support/refresh.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('the page of an instance', () => {
  const console = useConsole();
  let definitionID: string;

  beforeAll(async () => {
    await console.host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
    definitionID = await console.host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
  });

  let count = 0;
  const order = (total = 120) => ({ orderID: `order-${(count += 1)}`, total, items: [{ sku: 'kettle', quantity: 2 }] });
  const start = (variables: object = order()) => console.host.start(definitionID, variables, `order-${count}`);

  /** Does what the shop's worker would do: the token continues from "Reserve stock". */
  async function completeJob(workflowID: string): Promise<void> {
    const [job] = await vi.waitFor(
      async () => {
        const { data } = await console.host.call(
          'viewer',
          'GET',
          `/instances/${workflowID}/external-jobs?status=PENDING`,
        );
        expect(data).toHaveLength(1);
        return data;
      },
      { timeout: 20_000 },
    );
    await console.host.call('executor', 'POST', `/external-jobs/${job.executionKey}/complete`, {
      workflowID,
      variables: {},
    });
  }

  async function open(person: Person, workflowID: string, query = ''): Promise<InstancePage> {
    const page = new InstancePage(await console.open(person, InstancePage.address(workflowID, query), withClock));
    await page.page.getByRole('button', { name: 'Show the whole diagram' }).waitFor();
    return page;
  }

  const shown = ({ page }: InstancePage, locator: Locator) => shownByRefresh(page, locator);
  const gone = ({ page }: InstancePage, locator: Locator) => shownByRefresh(page, locator, 'detached');

  const stateOf = (workflowID: string) => console.host.call('viewer', 'GET', `/instances/${workflowID}`);

  it('shows the active nodes on the diagram and in words', async () => {
    const page = await open('editor', await start());
    expect(await page.mark('ReserveStock', 'token').textContent()).toBe('1');
    await page.page
      .getByRole('group', { name: 'Active nodes' })
      .getByRole('button', { name: 'Reserve stock' })
      .waitFor();
    await page.row('Reserve stock').getByText('Active').waitFor();
    const frame = (await page.page.locator('.djs-container').boundingBox())!;
    for (const end of ['OrderReceived', 'OrderDelivered', 'NotifyCustomer']) {
      const { x, y, width, height } = (await page.node(end).boundingBox())!;
      expect({
        end,
        isInside:
          x > frame.x && y > frame.y && x + width < frame.x + frame.width && y + height < frame.y + frame.height,
      }).toEqual({ end, isInside: true });
    }
    const labels = await page.page
      .locator('.djs-label')
      .evaluateAll((drawn) => drawn.map((label) => label.getBoundingClientRect().right));
    expect(Math.max(...labels)).toBeLessThan(frame.x + frame.width);
    await checkScreen(page.page, 'instance');
  });

  it('follows the instance without being drawn again', async () => {
    const workflowID = await start();
    const page = await open('executor', workflowID);
    await page.mark('ReserveStock', 'token').waitFor();
    const drawing = await page.node('ReserveStock').elementHandle();
    await completeJob(workflowID);
    await gone(page, page.mark('ReserveStock', 'token'));
    expect(await drawing!.isVisible()).toBe(true);
  });

  it('narrows the lists to the node that is clicked, and says so in the address', async () => {
    const page = await open('viewer', await start());
    await page.node('ReserveStock').click();
    await page.page.waitForURL((url) => url.searchParams.get('node') === 'ReserveStock');
    await page.page.getByText('Only those at Reserve stock').waitFor();
    expect(await page.page.getByRole('tabpanel').locator('tbody tr').count()).toBe(1);
    await page.page.getByRole('button', { name: 'Show all' }).click();
    await vi.waitFor(
      async () => expect(await page.page.getByRole('tabpanel').locator('tbody tr').count()).toBeGreaterThan(1),
      { timeout: 10_000 },
    );
  });

  it('shows called instances in pages, the newest first', async () => {
    await console.host.deploy('errand.bpmn', fileOfErrand);
    const workflowID = await console.host.start(await console.host.deploy('with-errands.bpmn', fileWithErrands), {});
    await vi.waitFor(async () => expect((await stateOf(workflowID)).status).toBe('COMPLETED'), { timeout: 60_000 });
    const {
      data: [newest],
    } = await console.host.call('viewer', 'GET', `/instances?parentWorkflowID=${workflowID}&pageSize=1`);
    const page = new InstancePage(await console.open('viewer', InstancePage.address(workflowID, '?tab=calls')));
    const pages = page.page.getByRole('navigation', { name: 'Pages of called instances' });
    await pages.getByText('1–50 of 51 called instances').waitFor();
    expect(await page.page.getByRole('tabpanel').locator('tbody tr').first().textContent()).toContain(
      newest.workflowID,
    );
    await pages.getByRole('button', { name: 'Next page' }).click();
    await pages.getByText('51–51 of 51 called instances').waitFor();
    const oldest = page.page.getByRole('tabpanel').locator('tbody a');
    const workflowIDOfOldest = await oldest.textContent();
    await oldest.click();
    await page.page.waitForURL((url) => url.pathname.endsWith(`/instances/${workflowIDOfOldest}`));
  });

  it('lets an executor complete a job for its worker', async () => {
    const workflowID = await start();
    const page = await open('executor', workflowID, '?tab=jobs');
    const dialog = await page.ask(page.row('Reserve stock').getByRole('button', { name: 'Complete' }));
    await dialog.getByLabel('Result').fill('{ "reservationID": ');
    expect(await dialog.getByRole('button', { name: 'Complete' }).isDisabled()).toBe(true);
    await dialog.getByText('Invalid JSON').waitFor();
    await dialog.getByLabel('Result').fill('{ "reservationID": "r-1" }');
    await checkScreen(page.page, 'instance-complete-job');
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await page.said('Reserve stock completed.').waitFor();
    expect((await stateOf(workflowID)).variables).toMatchObject({ reservationID: 'r-1' });
    await shown(page, page.row('Reserve stock').getByText('Completed'));
  });

  it('lets an executor complete a task', async () => {
    const workflowID = await start(order(1500));
    await completeJob(workflowID);
    const page = await open('executor', workflowID, '?tab=tasks');
    const dialog = await page.ask(page.row('Approve').getByRole('button', { name: 'Complete' }));
    await dialog.getByLabel('Result').fill('{ "approved": false }');
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await page.said(/completed\./).waitFor();
    await vi.waitFor(async () => expect((await stateOf(workflowID)).variables).toMatchObject({ approved: false }), {
      timeout: 10_000,
    });
  });

  it('shows the form that a task brings along, and takes it when every field is right', async () => {
    const workflowID = await console.host.start(await console.host.deploy('with-form.bpmn', fileWithForm), {
      name: 'Ada',
    });
    const page = new InstancePage(await console.open('executor', InstancePage.address(workflowID, '?tab=tasks')));
    await page.page.getByRole('heading', { name: 'This file has no diagram' }).waitFor();
    const dialog = await page.ask(page.row('Ask for the name').getByRole('button', { name: 'Complete' }));
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Ada');
    await dialog.getByLabel('Name').fill('');
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await dialog.getByText('Field is required').waitFor();
    await dialog.getByLabel('Name').fill('Grace');
    await checkScreen(page.page, 'instance-form');
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await page.said('Ask for the name completed.').waitFor();
    expect(await stateOf(workflowID)).toMatchObject({ status: 'COMPLETED', variables: { name: 'Grace' } });
  });

  it('lets an executor begin what an ad-hoc sub-process holds', async () => {
    const workflowID = await console.host.start(await console.host.deploy('with-ad-hoc.bpmn', fileWithAdHoc));
    const page = new InstancePage(await console.open('executor', InstancePage.address(workflowID, '?tab=tasks')));
    const dialog = await page.ask('Start an activity');
    await dialog.getByLabel('Activity').selectOption({ label: 'Write a letter (in Care for the customer)' });
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.said('Activity started.').waitFor();
    await page.row('Write a letter').getByText('Open').waitFor();
  });

  it('lets an editor resolve an incident with corrected variables', async () => {
    const workflowID = await start({ orderID: 'without-a-total', items: [] });
    await completeJob(workflowID);
    const page = await open('editor', workflowID, '?tab=incidents');
    await page.page.getByRole('tab', { name: 'Incidents 1' }).waitFor();
    await page.page.locator('[data-mark="incident"]').waitFor();
    await checkScreen(page.page, 'instance-incident');
    const dialog = await page.ask('Resolve');
    await dialog.getByLabel('Variables to set first').fill(JSON.stringify({ total: 120, items: [] }));
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await page.said(/was retried/).waitFor();
    await shown(page, page.page.getByText(/^Resolved/));
    await vi.waitFor(async () => expect((await stateOf(workflowID)).incidents).toEqual([]), { timeout: 10_000 });
  });

  it('lets an editor set variables, and shows why when that is refused', async () => {
    const workflowID = await start();
    const page = await open('editor', workflowID, '?tab=variables');
    const dialog = await page.ask('Set variables');
    await dialog.getByLabel('Variables to set').fill('{ "note": "<img src=x onerror=alert(1)>" }');
    await dialog.getByRole('button', { name: 'Set variables' }).click();
    await page.said('Variables set.').waitFor();
    await shown(page, page.page.getByText('"<img src=x onerror=alert(1)>"'));
    await checkScreen(page.page, 'instance-variables');

    const again = await page.ask('Set variables');
    await again.getByLabel('Variables to set').fill('{ "late": true }');
    await console.host.call('editor', 'DELETE', `/instances/${workflowID}`);
    await again.getByRole('button', { name: 'Set variables' }).click();
    await again.getByRole('alert').waitFor();
    expect(await again.getByLabel('Variables to set').inputValue()).toBe('{ "late": true }');
  });

  it('lets an admin suspend and resume, says what happens then, and writes it all down', async () => {
    const workflowID = await start();
    const page = await open('admin', workflowID, '?tab=timeline');
    await page.row('Started the instance').waitFor();
    const suspending = await page.ask('Suspend');
    await suspending.getByLabel('Reason').fill('stocktaking');
    await suspending.getByRole('button', { name: 'Suspend' }).click();
    await shown(page, page.page.getByText('This instance is paused.'));
    await shown(page, page.mark('ReserveStock', 'paused'));
    await shown(page, page.row('Suspended the instance').getByText('stocktaking'));
    await checkScreen(page.page, 'instance-suspended');
    const resuming = await page.ask('Resume');
    await resuming.getByText('Nothing is queued').waitFor();
    await resuming.getByRole('button', { name: 'Resume' }).click();
    await gone(page, page.page.getByText('This instance is paused.'));
    await shown(page, page.mark('ReserveStock', 'token'));
    await shown(page, page.row('Resumed the instance'));
  });

  it('cancels with a reason, after asking', async () => {
    const workflowID = await start();
    const page = await open('editor', workflowID);
    const dialog = await page.ask('Cancel');
    await dialog.getByLabel('Reason').fill('ordered twice');
    await dialog.getByRole('button', { name: 'Cancel the instance' }).click();
    await page.said('Instance canceled.').waitFor();
    await shown(page, page.page.getByRole('main').getByText('Canceled').first());
    expect((await stateOf(workflowID)).status).toBe('CANCELED');
    expect(await page.page.getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(0);
  });

  it('hides from a viewer what a viewer may not do', async () => {
    const page = await open('viewer', await start(), '?tab=jobs');
    await page.row('Reserve stock').waitFor();
    for (const name of ['Cancel', 'Set variables', 'Complete', 'Fail'])
      expect(await page.page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
    expect(await page.page.getByRole('tab', { name: 'Tasks' }).count()).toBe(0);
  });

  it('goes through what happened, step by step and by itself', async () => {
    const page = await open('viewer', await start());
    await page.page.getByRole('button', { name: 'Replay' }).click();
    await page.page.getByText('Before the first step').waitFor();
    expect(await page.page.locator('[data-mark="token"]').count()).toBe(0);
    await page.page.getByRole('button', { name: 'One step forward' }).click();
    await page.page.waitForURL((url) => url.searchParams.get('at') === '1');
    await page.page.getByRole('button', { name: 'Play' }).click();
    await shown(page, page.mark('ReserveStock', 'token'));
    await shown(page, page.page.getByRole('button', { name: 'Play' }));
    await checkScreen(page.page, 'instance-replay');
    await page.page.getByRole('button', { name: 'Back to now' }).click();
    await page.page.waitForURL((url) => !url.searchParams.has('at'));
  });

  it('lets an editor change when a timer is due, and fire it', async () => {
    const timed = await console.host.deploy(
      'timed.bpmn',
      sequenceModel('timed', [catchEvent('hold', on.timer('P1D'), { name: 'Hold back' })]),
    );
    const workflowID = await console.host.start(timed);
    // The file has no diagram.
    const page = new InstancePage(await console.open('editor', InstancePage.address(workflowID, '?node=hold')));
    const waits = page.page.getByRole('region', { name: /waits for$/ });
    await waits.getByText('Waits for a timer due').waitFor();
    const change = await page.ask(waits.getByRole('button', { name: 'Change due time' }));
    await change.getByLabel('Due', { exact: true }).fill('2027-01-15T09:30:00');
    await checkScreen(page.page, 'instance-timer');
    await change.getByRole('button', { name: 'Change the due time' }).click();
    await page.said('Due time changed.').waitFor();
    await waits.getByText('2027-01-15').waitFor();
    const fire = await page.ask(waits.getByRole('button', { name: 'Fire now' }));
    await fire.getByRole('button', { name: 'Fire the timer' }).click();
    await page.said('Timer fired.').waitFor();
    await vi.waitFor(async () => expect((await stateOf(workflowID)).status).toBe('COMPLETED'), { timeout: 20_000 });
  });

  it('shows what the conditions of a gateway were when it was passed, and follows expressions', async () => {
    const workflowID = await start(order(1_200));
    await completeJob(workflowID);
    await console.host.openTask(workflowID);
    const page = await open('viewer', workflowID, '?node=LargeOrder');
    const conditions = page.page.getByRole('region', { name: 'Conditions of Large order?' });
    await conditions.getByText('=total > 1000').waitFor();
    await conditions.getByRole('button', { name: 'Show the values when it was last entered' }).click();
    await page.page.waitForURL((url) => url.searchParams.has('at'));
    await conditions.getByText('true', { exact: true }).waitFor();
    expect(await conditions.locator('dt').allTextContents()).toEqual(['yes', 'no (default)']);
    const watches = page.page.getByRole('region', { name: 'Watch expressions' });
    for (const expression of ['total * 2', 'approved']) {
      await watches.getByLabel('FEEL expression').fill(expression);
      await watches.getByRole('button', { name: 'Watch', exact: true }).click();
    }
    await watches.getByText('2400', { exact: true }).waitFor();
    await watches.getByText('There is no variable named "approved" here.').waitFor();
    await checkScreen(page.page, 'instance-expressions');
    await page.page.reload();
    await watches.getByText('2400', { exact: true }).waitFor();
    await watches.getByRole('button', { name: 'Stop watching total * 2' }).click();
    expect(await watches.locator('dt').allTextContents()).toEqual(['approved']);
  });

  it('says so when there is no such instance', async () => {
    const page = await console.open('viewer', InstancePage.address('no-such-instance'));
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
  });
});
