import { describe, expect, it, vi } from 'vitest';
import {
  adHocSubProcess,
  boundaryEvent,
  endEvent,
  on,
  processModel,
  root,
  serviceTask,
  startEvent,
  userTask,
} from '@perdure/testkit/models';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 90_000 });

/** A user task for what cannot be packed. */
const parcel = processModel(
  'parcel',
  [
    startEvent('Start'),
    serviceTask('Pack', { name: 'Pack the parcel', type: 'pack', headers: { box: 'large' } }),
    boundaryEvent('Broken', 'Pack', on.error('BROKEN')),
    userTask('Repair', { name: 'Repair it' }),
    endEvent('End'),
  ],
  ['Start -> Pack -> End', 'Broken -> Repair -> End'],
  root.error('BROKEN'),
);

/** An ad-hoc sub-process that runs until a variable completes it. */
const care = processModel(
  'care',
  [
    startEvent('Start'),
    adHocSubProcess('Care', [userTask('Call', { name: 'Call' })], [], {
      name: 'Care for the customer',
      until: '=enough = true',
    }),
    endEvent('End'),
  ],
  'Start -> Care -> End',
);

describe.skipIf(reasonToSkip)('the work of an instance', () => {
  const console = useConsole();

  /** Starts a parcel and waits for its job. */
  async function startParcel(): Promise<string> {
    const definitionID = await console.host.deploy('parcel.bpmn', parcel);
    const workflowID = await console.host.start(definitionID, { order: 'order-17' });
    await vi.waitFor(
      async () => {
        const { data } = await console.host.call('viewer', 'GET', `/instances/${workflowID}/external-jobs`);
        expect(data).toHaveLength(1);
      },
      { timeout: 10_000 },
    );
    return workflowID;
  }

  it('shows the variables and headers of a pending job', async () => {
    const workflowID = await startParcel();
    const page = await console.open('viewer', InstancePage.address(workflowID, '?tab=jobs'));
    await page.getByRole('button', { name: 'Details of Pack the parcel' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pack the parcel' });
    expect(await dialog.getByRole('group', { name: 'Variables' }).innerText()).toContain('"order-17"');
    expect(await dialog.getByRole('group', { name: 'Headers' }).innerText()).toContain('"large"');
    await checkScreen(page, 'instance-job');
  });

  it('lists jobs as they ended, even if the last list before the end arrives late', async () => {
    const workflowID = await startParcel();
    const page = new InstancePage(await console.open('viewer', InstancePage.address(workflowID, '?tab=jobs')));
    await page.row('Pack the parcel').getByText('Pending').waitFor();
    const ended = page.page.getByRole('heading', { level: 1 }).locator('..').getByText('Canceled');
    let isLate = true;
    const late = new Promise<void>((resolve) => {
      void page.page.route(/\/external-jobs\?/, async (route) => {
        const response = await route.fetch();
        resolve();
        if (isLate) await ended.waitFor();
        isLate = false;
        // The page may have given the request up.
        await route.fulfill({ response }).catch(() => undefined);
      });
    });
    await late;
    await console.host.call('editor', 'DELETE', `/instances/${workflowID}`);
    await page.row('Pack the parcel').getByText('Canceled').waitFor();
  });

  it('shows Running for an active activity, and the duration of one that has ended', async () => {
    const workflowID = await startParcel();
    const page = new InstancePage(await console.open('viewer', InstancePage.address(workflowID, '?tab=history')));
    await page.row('Pack the parcel').getByRole('cell', { name: 'Running', exact: true }).waitFor();
    expect(await page.row('Start').getByText('Running').count()).toBe(0);
  });

  it('gives the variables of a failure of a job or a task to the event that catches it', async () => {
    const workflowID = await startParcel();
    const page = new InstancePage(await console.open('executor', InstancePage.address(workflowID, '?tab=jobs')));
    const ofJob = await page.ask(page.row('Pack the parcel').getByRole('button', { name: 'Fail' }));
    await ofJob.getByLabel('Error code').fill('BROKEN');
    await ofJob.getByLabel('Variables').fill('{ "crack": 3 }');
    await ofJob.getByRole('button', { name: 'Fail' }).click();
    await page.said('Failure of Pack the parcel reported.').waitFor();
    await console.host.openTask(workflowID);
    const variables = () => console.host.call('viewer', 'GET', `/instances/${workflowID}/variables`);
    await vi.waitFor(async () => expect(JSON.stringify(await variables())).toContain('"crack":3'), { timeout: 10_000 });

    await page.openTab('Tasks');
    const ofTask = await page.ask(page.row('Repair it').getByRole('button', { name: 'Fail' }));
    await ofTask.getByLabel('Error code').fill('NO_GLUE');
    await ofTask.getByLabel('Variables').fill('{ "glue": ');
    expect(await ofTask.getByRole('button', { name: 'Fail' }).isDisabled()).toBe(true);
    await ofTask.getByLabel('Variables').fill('{ "glue": 0 }');
    const [request] = await Promise.all([
      page.page.waitForRequest(/\/user-tasks\/[^/]+\/error$/),
      ofTask.getByRole('button', { name: 'Fail' }).click(),
    ]);
    expect(request.postDataJSON()).toEqual({ errorCode: 'NO_GLUE', variables: { glue: 0 } });
    await page.row('Repair it').getByText('NO_GLUE').waitFor();
  });

  it('shows the reason of a canceled task', async () => {
    const definitionID = await console.host.deploy('care.bpmn', care);
    const workflowID = await console.host.start(definitionID);
    await console.host.call('executor', 'POST', `/instances/${workflowID}/adhoc/Care/trigger`, { nodeID: 'Call' });
    await console.host.openTask(workflowID);
    await console.host.call('editor', 'DELETE', `/instances/${workflowID}?reason=ordered%20twice`);
    const page = new InstancePage(await console.open('executor', InstancePage.address(workflowID, '?tab=tasks')));
    const reason = await vi.waitFor(
      async () => {
        const { data } = await console.host.call('executor', 'GET', `/instances/${workflowID}/user-tasks`);
        expect(data[0].cancelReason).toBeDefined();
        return data[0].cancelReason as string;
      },
      { timeout: 10_000 },
    );
    await page.row('Call').getByText(reason).waitFor();
  });

  it('decides instead of the worker of an ad-hoc sub-process', async () => {
    const tools = [serviceTask('Search', { name: 'Search', type: 'search' }), userTask('Ask', { name: 'Ask' })];
    const agent = adHocSubProcess('Agent', tools, [], { name: 'Help the customer', job: 'help' });
    const model = processModel('help', [startEvent('Start'), agent, endEvent('End')], 'Start -> Agent -> End');
    const workflowID = await console.host.start(await console.host.deploy('help.bpmn', model));
    const page = new InstancePage(await console.open('executor', InstancePage.address(workflowID, '?tab=jobs')));
    const complete = page.row('Help the customer').getByRole('button', { name: 'Complete' });
    const first = await page.ask(complete);
    await first.getByLabel('Start Ask').check();
    await checkScreen(page.page, 'instance-job-decision');
    await first.getByRole('button', { name: 'Complete' }).click();
    await page.said('Help the customer completed.').waitFor();
    await console.host.openTask(workflowID);
  });

  it('names the listener whose job it is, in the list, in its details, and in the waits of its node', async () => {
    const pack = serviceTask('Pack', { name: 'Pack the parcel', type: 'pack', listeners: { start: ['weigh'] } });
    const model = processModel('weighed', [startEvent('Start'), pack, endEvent('End')], 'Start -> Pack -> End');
    const workflowID = await console.host.start(await console.host.deploy('weighed.bpmn', model));
    const page = new InstancePage(
      await console.open('viewer', InstancePage.address(workflowID, '?tab=jobs&node=Pack')),
    );
    await page.row('Pack the parcel').getByText('weigh (execution listener at start)').waitFor();
    await page.page.getByText(/Waits for its execution listener at start, a job of type weigh/).waitFor();
    await page.page.getByRole('button', { name: 'Details of Pack the parcel' }).click();
    const dialog = page.page.getByRole('dialog', { name: 'Pack the parcel' });
    await dialog.getByText('execution listener at start').waitFor();
  });

  it('ends an ad-hoc sub-process by variables alone', async () => {
    const definitionID = await console.host.deploy('care-2.bpmn', care);
    const workflowID = await console.host.start(definitionID);
    const page = new InstancePage(await console.open('executor', InstancePage.address(workflowID)));
    const dialog = await page.ask('Set ad-hoc variables');
    await dialog.getByLabel('Ad-hoc sub-process').selectOption({ label: 'Care for the customer' });
    await dialog.getByLabel('Variables to set').fill('{ "enough": true }');
    await checkScreen(page.page, 'instance-ad-hoc-variables');
    await dialog.getByRole('button', { name: 'Set variables' }).click();
    await page.said('Variables set.').waitFor();
    await page.page.getByText('Completed').first().waitFor();
  });
});
