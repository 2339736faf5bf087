/** Scenarios in the modeler: a process that is drawn, played, tested, broken, repaired, and deployed in one sitting. */
import type { Page } from 'playwright-core';
import { describe, it, vi } from 'vitest';
import { exclusiveGateway, processModel, scriptTask, startEvent } from '@perdure/testkit/models';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { shape, withDiagram } from './support/files.js';
import { exampleFile } from './support/host.js';

vi.setConfig({ testTimeout: 180_000 });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const elementAt = (page: Page, id: string) => page.locator(`.djs-element[data-element-id="${id}"]`).first();
const properties = (page: Page) => page.getByRole('group', { name: 'Properties' });

/** A second click on a selected element would be a double click, which edits its name. */
async function select(page: Page, id: string): Promise<void> {
  const isSelected = (await page.locator(`.djs-element.selected[data-element-id="${id}"]`).count()) > 0;
  if (!isSelected) await elementAt(page, id).locator('.djs-hit').first().click();
}

/** Appends an element with the pad next to the selected one. */
async function append(
  page: Page,
  to: string,
  kind: 'User task' | 'gateway' | 'end-event',
): Promise<{ node: string; flow: string }> {
  const ids = (of: 'shape' | 'connection') =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('.djs-${of}')].map((it) => it.dataset.elementId).filter((id) => !id.endsWith('_label'))`,
    );
  const [shapes, flows] = [await ids('shape'), await ids('connection')];
  await select(page, to);
  const pad = page.locator('.djs-context-pad');
  if (kind === 'User task') {
    await pad.locator('.entry[data-action="append"]').click();
    for (const choice of ['Tasks', kind]) await page.locator('.djs-popup').getByText(choice, { exact: true }).click();
  } else await pad.locator(`.entry[data-action="append.${kind}"]`).click();
  await page.locator('.djs-connection').nth(flows.length).waitFor({ state: 'attached' });
  // Its name can be entered at once on the diagram; here, the panel does it.
  await page.keyboard.press('Escape');
  const added = async (of: 'shape' | 'connection', before: string[]) =>
    (await ids(of)).find((id) => !before.includes(id))!;
  return { node: await added('shape', shapes), flow: await added('connection', flows) };
}

/** Opens a group of the panel if it is not open, and waits for its field. */
async function fieldIn(page: Page, group: string, selector: string) {
  const field = properties(page).locator(selector);
  await field.waitFor({ state: 'attached' });
  if (!(await field.isVisible())) await properties(page).getByText(group, { exact: true }).click();
  return field;
}

async function rename(page: Page, id: string, name: string): Promise<void> {
  await select(page, id);
  const field = await fieldIn(page, 'General', '#bio-properties-panel-name');
  await field.fill(name);
  // A click on the diagram would end the input, which draws the pad again below the click.
  await field.blur();
  await page.locator('.djs-visual').getByText(name.split(' ')[0]!).first().waitFor();
}

/** Clicks in the middle of a flow. The middle of the box around it can be elsewhere. */
async function setCondition(page: Page, flow: string, condition: string): Promise<void> {
  const { x, y } = await page.evaluate<{ x: number; y: number }>(`(() => {
    document.querySelector('.djs-container').scrollIntoView({ block: 'center' });
    const path = document.querySelector('.djs-connection[data-element-id="${flow}"] .djs-hit');
    const { x, y } = path.getPointAtLength(path.getTotalLength() * 0.7).matrixTransform(path.getScreenCTM());
    return { x, y };
  })()`);
  await page.mouse.click(x, y);
  const field = await fieldIn(page, 'Condition', '[data-entry-id="conditionExpression"] .cm-content');
  await field.fill(condition);
}

/** Replaces the blank process. */
async function drawApproval(page: Page) {
  await elementAt(page, 'end').waitFor();
  await select(page, 'end');
  await page.keyboard.press('Delete');
  const { node: task } = await append(page, 'start', 'User task');
  await rename(page, task, 'Approve the request');
  const { node: gateway } = await append(page, task, 'gateway');
  const approved = await append(page, gateway, 'end-event');
  await rename(page, approved.node, 'Approved');
  const refused = await append(page, gateway, 'end-event');
  await rename(page, refused.node, 'Refused');
  await setCondition(page, approved.flow, 'approved');
  await setCondition(page, refused.flow, 'not(approved)');
  // The only warning: a person provides the variable.
  await page.getByText('approved (read by').waitFor();
  return { approved, gateway };
}

/** Completes the task of a play that has started, and saves the play. */
async function decideAndSave(page: Page, approved: boolean, name: string): Promise<void> {
  await button(page, 'Complete: Approve the request').click();
  await page.getByRole('dialog').getByLabel('Variables').fill(JSON.stringify({ approved }));
  await button(page, 'Complete').click();
  await page.getByText('Every instance has ended.').waitFor();
  await button(page, 'Save as scenario').click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  const download = page.waitForEvent('download');
  await button(page, 'Save').click();
  await download;
}

describe.skipIf(reasonToSkip)('scenarios in the modeler', () => {
  const console = useConsole();

  const scenarios = (page: Page) => page.getByRole('region', { name: 'Scenarios' });

  it('test a process while it is drawn: played, saved, broken, repaired, and deployed', async () => {
    const page = await console.open('editor', '/console/projects/demo/processes');
    await page.getByRole('link', { name: 'Draw a process' }).click();
    const { approved, gateway } = await drawApproval(page);
    await checkScreen(page, 'show-drawn');

    await page.getByRole('link', { name: 'Play', exact: true }).click();
    await button(page, 'Start').click();
    await page.getByText('At Approve the request').waitFor();
    await checkScreen(page, 'show-played');
    await decideAndSave(page, true, 'A request is approved');
    await button(page, 'One move back').click();
    await decideAndSave(page, false, 'A request is refused');

    await page.goBack();
    await scenarios(page).getByText('2 passed · 9 of 9 nodes and flows covered').waitFor();
    await page.locator('.djs-element[class*="reached"]').nth(8).waitFor({ state: 'attached' });
    await checkScreen(page, 'show-passed');

    await setCondition(page, approved.flow, 'approved = null');
    await scenarios(page).getByText('1 passed · 1 failed').waitFor();
    await page.locator('[data-mark="failed"]').waitFor();
    await scenarios(page).getByText('status: expected COMPLETED, found RUNNING').waitFor();
    await checkScreen(page, 'show-failed');
    await scenarios(page).getByRole('table').getByTitle(gateway).click();
    await page.locator(`.djs-element.selected[data-element-id="${gateway}"]`).waitFor();

    await button(page, 'Undo').click();
    await scenarios(page).getByText('2 passed').waitFor();
    await page.locator('[data-mark="failed"]').waitFor({ state: 'detached' });

    await button(page, 'Deploy').click();
    await page.getByRole('dialog').getByLabel('Reason').fill('requests are approved');
    await button(page, 'Deploy all').click();
    await page.getByText('Deployed. New or changed: 1 file.').waitFor();
    await checkScreen(page, 'show-deployed');
  });

  it('are files that a person chooses; one of another process is refused, and one that is removed stays away', async () => {
    const xml = exampleFile('collect-payment.bpmn');
    const { id } = await console.host.call('editor', 'POST', '/resources', { name: 'payment.bpmn', xml });
    const page = await console.open('editor', `/console/projects/demo/modeler/${id}`);
    const choose = (process: string) =>
      page.getByLabel('Add scenarios').setInputFiles({
        name: 'charged.scenario.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify({ name: 'A charge', process, start: {}, steps: [] })),
      });
    await choose('another');
    await scenarios(page).getByText('charged.scenario.json tests the process another').waitFor();
    await choose('collect-payment');
    const table = scenarios(page).getByRole('table');
    await table.getByText('A charge').waitFor();
    await page.reload();
    await button(page, 'Remove A charge').click();
    await table.waitFor({ state: 'detached' });
  });

  it('do not run without end: one that never rests is stopped, and the page stays usable', async () => {
    const endless = withDiagram(
      processModel(
        'endless',
        [
          startEvent('Start'),
          exclusiveGateway('Again'),
          scriptTask('Count', '=count(for i in 1..20000 return i * i)', 'n'),
        ],
        ['Start -> Again -> Count', 'Count -> Again'],
      ),
      'endless',
      ['Start', 'Again', 'Count'].map((id, index) => shape(id, 150 * index, 0)),
    );
    const { id } = await console.host.call('editor', 'POST', '/resources', { name: 'endless.bpmn', xml: endless });
    const page = await console.open('editor', `/console/projects/demo/modeler/${id}`);
    await page.getByLabel('Add scenarios').setInputFiles({
      name: 'endless.scenario.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ name: 'Endless', process: 'endless', start: {}, steps: [] })),
    });
    await scenarios(page).getByText('Running…').waitFor();
    await scenarios(page).getByText('It takes longer than 5 seconds.').waitFor();
    await button(page, 'Run again').waitFor();
  });
});
