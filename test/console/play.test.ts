import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { openBundle, readScenario, runScenario } from '@perdure/testkit';
import {
  adHocSubProcess,
  bpmnProcess,
  businessRuleTask,
  callActivity,
  catchEvent,
  definitions,
  endEvent,
  exclusiveGateway,
  multiInstance,
  on,
  processModel,
  root,
  scriptTask,
  serviceTask,
  startEvent,
  tag,
  userTask,
} from '@perdure/testkit/models';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { fileWithDecisions, shape, withDiagram } from './support/files.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 90_000 });

const nodes = ['Start', 'Approve', 'Rate', 'Ship', 'Paid', 'Later', 'End'];

/** A person with a form, a decision, a called process, a message, and a timer. */
const order = withDiagram(
  processModel(
    'order',
    [
      startEvent('Start'),
      userTask('Approve', { name: 'Approve the order', formID: 'order-approval' }),
      businessRuleTask('Rate', 'Decision_discount', 'discount', { name: 'Determine the discount' }),
      callActivity('Ship', 'shipping', { name: 'Ship the order' }),
      catchEvent('Paid', on.message('paid'), { name: 'Wait for payment' }),
      catchEvent('Later', on.timer('P3D'), { name: 'Wait three days' }),
      endEvent('End'),
    ],
    nodes.join(' -> '),
    root.message('paid', '=orderID'),
  ),
  'order',
  nodes.map((id, index) => shape(id, 150 * index, 0)),
);
const shipping = processModel(
  'shipping',
  [startEvent('Begin'), serviceTask('Pack', { name: 'Pack the parcel' }), endEvent('Packed')],
  'Begin -> Pack -> Packed',
);
const form = JSON.stringify({
  type: 'default',
  id: 'order-approval',
  schemaVersion: 16,
  components: [
    { type: 'textfield', id: 'Field_id', key: 'orderID', label: 'Order', disabled: true },
    { type: 'textfield', id: 'Field_note', key: 'note', label: 'Note', validate: { required: true } },
  ],
});
const files = { 'order.bpmn': order, 'shipping.bpmn': shipping, 'discounts.dmn': fileWithDecisions };

/** @param work of each turn, as FEEL */
function endless(id: string, work: string): string {
  return processModel(
    id,
    [startEvent('Start'), exclusiveGateway('Again'), scriptTask('Count', work, 'n')],
    ['Start -> Again -> Count', 'Count -> Again'],
  );
}

describe.skipIf(reasonToSkip)('the page that plays a process', () => {
  const console = useConsole();
  let definitionID: string;

  beforeAll(async () => {
    definitionID = await console.host.deployBundle({ ...files, 'order-approval.form': form });
  });

  const address = (query: string) => `/console/projects/demo/play?${query}`;
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  async function start(page: Page, variables: object): Promise<void> {
    await page.getByLabel('Variables').fill(JSON.stringify(variables));
    await button(page, 'Start').click();
  }

  /** Plays the order until it is shipped, and waits for its payment. */
  async function playUntilPayment(page: Page): Promise<void> {
    await start(page, { orderID: 'order-1', amount: 200 });
    await button(page, 'Complete: Approve the order').click();
    expect(await page.getByRole('textbox', { name: 'Order' }).inputValue()).toBe('order-1');
    await page.getByRole('textbox', { name: 'Note' }).fill('a good customer');
    await button(page, 'Complete').click();
    await button(page, 'Complete: Pack the parcel').click();
    await page.getByRole('dialog').getByLabel('Variables').fill('{ "parcel": "p1" }');
    await button(page, 'Complete').click();
    await button(page, 'Publish: Wait for payment').waitFor();
  }

  it('plays people, job workers, messages, and time, with files of the project, and sends nothing to the host', async () => {
    const page = await console.open('viewer', '/console/projects/demo/processes/order');
    const sent: string[] = [];
    await page.getByRole('link', { name: 'Play', exact: true }).click();
    await page.getByRole('heading', { name: 'Play order' }).waitFor();
    const entry = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Processes' });
    expect(await entry.getAttribute('class')).toMatch(/active/);
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`);
    });
    await playUntilPayment(page);
    await checkScreen(page, 'play');
    const changed = page.getByRole('group', { name: 'Changed variables of Process' });
    await changed.getByText('parcel').waitFor();
    expect(await changed.getByText('discount').count()).toBe(0);
    await page.getByRole('group', { name: 'Other variables of Process' }).getByText('discount').waitFor();
    await button(page, 'Publish: Wait for payment').click();
    expect(await page.getByLabel('Correlation key').inputValue()).toBe('"order-1"');
    await button(page, 'Publish').click();
    await button(page, 'Fire: Wait three days').waitFor();
    await button(page, 'Next timer (in 3 d)').waitFor();
    await button(page, 'Fire: Wait three days').click();
    await page.getByText('Every instance has ended.').waitFor();
    await page.getByText('Completed', { exact: true }).waitFor();
    expect(sent).toEqual([]);
    const { pagination } = await console.host.call('viewer', 'GET', '/instances');
    expect(pagination.total).toBe(0);
  });

  it('shows tokens on the diagram, and those of a called process on its own', async () => {
    const page = await console.open('viewer', address(`version=${definitionID}`));
    await start(page, { orderID: 'order-1', amount: 200 });
    await page.getByText('At Approve the order').waitFor();
    await page.locator('[data-element-id="Approve"]').first().waitFor();
    await button(page, 'Complete: Approve the order').click();
    await page.getByRole('textbox', { name: 'Note' }).fill('yes');
    await button(page, 'Complete').click();
    await page.getByText('At Ship the order').waitFor();
    await button(page, 'Show: shipping').click();
    await page.getByText('At Pack the parcel').waitFor();
    await page.getByLabel('Instance').selectOption({ index: 0 });
    await page.getByText('At Ship the order').waitFor();
  });

  it('goes back and forward, and saves a scenario that passes', async () => {
    const page = await console.open('viewer', address(`version=${definitionID}`));
    await playUntilPayment(page);
    await button(page, 'One move back').click();
    await button(page, 'Complete: Pack the parcel').waitFor();
    await page.getByText('2 / 3').waitFor();
    await button(page, 'Restart').click();
    await page.getByText('0 / 3').waitFor();
    for (const position of ['1 / 3', '2 / 3', '3 / 3']) {
      await button(page, 'One move forward').click();
      await page.getByText(position).waitFor();
    }
    await button(page, 'Publish: Wait for payment').click();
    await button(page, 'Publish').click();
    await page.getByLabel('Duration').fill('P4D');
    await button(page, 'Advance').click();
    await page.getByText('Every instance has ended.').waitFor();

    await button(page, 'Save as scenario').click();
    await page.getByRole('dialog').getByLabel('Name').fill('A paid order');
    const download = page.waitForEvent('download');
    await button(page, 'Save').click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('a-paid-order.scenario.json');
    const scenario = readScenario(readFileSync(await saved.path(), 'utf8'), saved.suggestedFilename());
    expect(scenario.files).toEqual(['order.bpmn', 'discounts.dmn', 'shipping.bpmn']);
    const bundle = await openBundle(Object.entries(files).map(([name, text]) => ({ name, text })));
    expect(runScenario(scenario, bundle)).toEqual({ name: 'A paid order', steps: 4 });

    await button(page, 'Copy as test').click();
    await page.getByText('Test copied.').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toContain("await testProcess('order.bpmn', { with: ['discounts.dmn', 'shipping.bpmn']");
    expect(copied).toContain('instance.called(\'Ship\').job(\'Pack\').complete({"parcel":"p1"});');
  });

  it('fits into a narrow window', async () => {
    const page = await console.open('viewer', address(`version=${definitionID}`));
    await page.setViewportSize({ width: 420, height: 800 });
    await button(page, 'Start').waitFor();
    await checkScreen(page, 'play-start-narrow');
    await playUntilPayment(page);
    await checkScreen(page, 'play-narrow');
  });

  it('ends a model that never rests: by its limits, and when the user stops it', async () => {
    const quick = await console.host.deploy('quick.bpmn', endless('quick', '=1'));
    const page = await console.open('viewer', address(`version=${quick}`));
    await button(page, 'Start').click();
    await page.getByRole('alert').getByText('does not come to rest').waitFor({ timeout: 60_000 });
    await button(page, 'Start').waitFor();

    const slow = await console.host.deploy('slow.bpmn', endless('slow', '=count(for i in 1..20000 return i * i)'));
    await page.goto(`${console.host.url}${address(`version=${slow}`)}`);
    await button(page, 'Start').click();
    await page.getByText('Running…').waitFor();
    await button(page, 'Stop').click();
    await page.getByText('The play is as it was before the last move.').waitFor();
    await page.getByText('0 / 0').waitFor();
    expect(await button(page, 'Start').isEnabled()).toBe(true);
  });

  it('plays a draft, one of its processes at a time, and waits for answers of calls to unknown processes', async () => {
    const draft = processModel(
      'draft',
      [startEvent('Start'), callActivity('Ask', 'elsewhere', { name: 'Ask elsewhere' }), endEvent('End')],
      'Start -> Ask -> End',
    );
    const { id } = await console.host.call('editor', 'POST', '/resources', { name: 'draft.bpmn', xml: draft });
    const page = await console.open('editor', `/console/projects/demo/deploy?resource=${id}`);
    await page.getByRole('link', { name: 'Play', exact: true }).click();
    await page.getByRole('heading', { name: 'Play draft' }).waitFor();
    await button(page, 'Start').click();
    await page.getByText('which is not in the project').waitFor();
    await button(page, 'Answer: Ask elsewhere').click();
    await page.getByRole('dialog').getByLabel('Variables').fill('{ "found": true }');
    await button(page, 'Answer').click();
    await page.getByText('Completed', { exact: true }).waitFor();
    await page.getByRole('group', { name: 'Changed variables of Process' }).getByText('found').waitFor();
  });

  it('plays a copy of an instance from a position of its replay', async () => {
    const workflowID = await console.host.start(definitionID, { orderID: 'order-7', amount: 200 });
    await console.host.openTask(workflowID);
    const page = await console.open('editor', InstancePage.address(workflowID, '?at=2'));
    await page.getByRole('link', { name: 'Play from here' }).click();
    await page.getByText('A copy of an instance.').waitFor();
    await button(page, 'Complete: Approve the order').click();
    expect(await page.getByRole('textbox', { name: 'Order' }).inputValue()).toBe('order-7');
    await page.getByRole('textbox', { name: 'Note' }).fill('as a copy');
    await button(page, 'Complete').click();
    await button(page, 'Complete: Pack the parcel').waitFor();
    await checkScreen(page, 'play-instance');
    expect(await button(page, 'Save as scenario').count()).toBe(0);
    await button(page, 'One move back').click();
    await button(page, 'Complete: Approve the order').waitFor();
    expect(await console.host.call('viewer', 'GET', `/instances/${workflowID}`)).toMatchObject({
      status: 'RUNNING',
      variables: { orderID: 'order-7', amount: 200 },
    });
    await page.getByRole('link', { name: `Instance ${workflowID}` }).click();
    await page.getByRole('group', { name: 'Replay' }).waitFor();
  });

  it('calls the version that the call activity is bound to, also when there are newer ones', async () => {
    const called = (text: string, versionTag?: string) =>
      definitions(
        bpmnProcess(
          'bound',
          [startEvent('Start'), userTask('Act', { name: text }), endEvent('End')],
          'Start -> Act -> End',
          versionTag === undefined ? {} : { extensions: tag('zeebe:versionTag', { value: versionTag }) },
        ),
      );
    const caller = (binding: object) =>
      processModel(
        'caller',
        [startEvent('Start'), callActivity('Call', 'bound', binding), endEvent('End')],
        'Start -> Call -> End',
      );
    const begin = async (page: Page, name: string) => {
      await button(page, 'Start').click();
      await button(page, `Complete: ${name}`).waitFor();
    };
    const together = await console.host.deployBundle({
      'caller.bpmn': caller({ bindingType: 'deployment' }),
      'bound.bpmn': called('First', 'v1'),
    });
    await console.host.deploy('bound.bpmn', called('Second'));
    const page = await console.open('viewer', address(`version=${together}`));
    await begin(page, 'First');
    const tagged = await console.host.deploy('caller.bpmn', caller({ bindingType: 'versionTag', versionTag: 'v1' }));
    await page.goto(new URL(address(`version=${tagged}`), page.url()).href);
    await begin(page, 'First');
    const latest = await console.host.deploy('caller.bpmn', caller({}));
    await page.goto(new URL(address(`version=${latest}`), page.url()).href);
    await begin(page, 'Second');
  });

  /** Saves the play as a scenario, and runs it. */
  async function runSaved(page: Page, name: string, xml: string) {
    await button(page, 'Save as scenario').click();
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    const download = page.waitForEvent('download');
    await button(page, 'Save').click();
    const saved = await download;
    const scenario = readScenario(readFileSync(await saved.path(), 'utf8'), saved.suggestedFilename());
    const result = await runScenario(scenario, await openBundle([{ name: scenario.files![0]!, text: xml }]));
    return { scenario, result };
  }

  it('lets the user choose among several jobs of one task, also in the scenario of the play', async () => {
    const loop = multiInstance('=["a", "b", "c"]', { output: '=weight', into: 'weights' });
    const xml = processModel(
      'several',
      [startEvent('Start'), serviceTask('Weigh', { name: 'Weigh it', loop }), endEvent('End')],
      'Start -> Weigh -> End',
    );
    const page = await console.open('viewer', address(`version=${await console.host.deploy('several.bpmn', xml)}`));
    await button(page, 'Start').click();
    const complete = async (choices: string[], chosen: string | undefined, weight: number) => {
      await button(page, 'Complete: Weigh it').click();
      const dialog = page.getByRole('dialog');
      const field = dialog.getByLabel('Which one');
      expect(await field.locator('option').allTextContents()).toEqual(choices);
      if (chosen !== undefined) await field.selectOption({ label: chosen });
      if (choices.length === 3) await checkScreen(page, 'play-which-one');
      await dialog.getByLabel('Variables').fill(JSON.stringify({ weight }));
      await button(page, 'Complete').click();
      await dialog.waitFor({ state: 'detached' });
    };
    await complete(['1, turn 1', '2, turn 2', '3, turn 3'], '3, turn 3', 30);
    await complete(['1, turn 1', '2, turn 2'], '2, turn 2', 20);
    await complete([], undefined, 10);
    await page.getByText('Every instance has ended.').waitFor();
    const { scenario, result } = await runSaved(page, 'Weighed in reverse', xml);
    expect(scenario.expect).toMatchObject({ variables: { weights: [10, 20, 30] } });
    expect(result).toMatchObject({ name: 'Weighed in reverse', steps: 3 });
  });

  it('starts activities of an ad-hoc sub-process, one again while others are open', async () => {
    const activities = [
      userTask('Call', { name: 'Call the customer' }),
      userTask('Write', { name: 'Write a letter' }),
    ].join('');
    const xml = processModel(
      'case',
      [startEvent('Start'), adHocSubProcess('Case', activities, [], { until: '=settled = true' }), endEvent('End')],
      'Start -> Case -> End',
    );
    const page = await console.open('viewer', address(`version=${await console.host.deploy('case.bpmn', xml)}`));
    await button(page, 'Start').click();
    await button(page, 'Start: Call the customer').click();
    await button(page, 'Complete: Call the customer').waitFor();
    await button(page, 'Start: Write a letter').click();
    await button(page, 'Complete: Write a letter').waitFor();
    await button(page, 'Start: Call the customer').click();
    await page.getByText('At Case, Call the customer ×2, Write a letter').waitFor();
    await checkScreen(page, 'play-ad-hoc');
    await button(page, 'Complete: Write a letter').click();
    await page.getByRole('dialog').getByLabel('Variables').fill('{ "settled": true }');
    await button(page, 'Complete').click();
    await page.getByText('Every instance has ended.').waitFor();
    const { result } = await runSaved(page, 'A settled case', xml);
    expect(result).toMatchObject({ name: 'A settled case', steps: 4 });
  });

  it('says where its address names nothing to play', async () => {
    const page = await console.open('viewer', address(''));
    await page.getByRole('heading', { name: 'Nothing to play' }).waitFor();
  });
});
