/** The files of a project side by side in the modeler. */
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { callActivity, sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { shape, withDiagram } from './support/files.js';

vi.setConfig({ testTimeout: 120_000 });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const folder = (page: Page) => page.getByRole('region', { name: 'Folder' });
const fileLink = (page: Page, name: string) => folder(page).getByRole('link', { name, exact: false });
const elementIn = (page: Page, id: string) => page.locator(`.djs-element[data-element-id="${id}"]:visible`).first();

/** A process with one node between its start and its end. */
function drawn(process: string, node: string, id: string): string {
  const ids = ['start', id, 'end'];
  return withDiagram(
    sequenceModel(process, [node]),
    process,
    ids.map((each, index) => shape(each, 150 * index, 0)),
  );
}

const form = (id: string, label: string) =>
  JSON.stringify({
    type: 'default',
    id,
    schemaVersion: 16,
    components: [{ type: 'textfield', id: 'Field_1', key: 'answer', label }],
  });

const file = (name: string, text: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text),
});

describe.skipIf(reasonToSkip)('the folder of the modeler', () => {
  const console = useConsole();

  const save = async (name: string, xml: string) =>
    (await console.host.call<{ id: string }>('editor', 'POST', '/resources', { name, xml })).id;
  const open = (id: string) => console.open('editor', `/console/projects/demo/modeler/${id}`);

  async function remove(page: Page, id: string): Promise<void> {
    await elementIn(page, id).locator('.djs-hit').first().click();
    await page.keyboard.press('Delete');
    await page.getByText('Unsaved', { exact: true }).filter({ visible: true }).waitFor();
  }

  it('switches between files, of which each keeps its edits and what can be undone', async () => {
    const first = await save('first.bpmn', drawn('first', serviceTask('Pack'), 'Pack'));
    await save('second.bpmn', drawn('second', serviceTask('Send'), 'Send'));
    const page = await open(first);
    await remove(page, 'Pack');
    await fileLink(page, 'second.bpmn').click();
    await page.getByRole('heading', { name: 'second.bpmn' }).waitFor();
    await remove(page, 'Send');
    await folder(page).getByRole('img', { name: 'with unsaved edits' }).nth(1).waitFor();
    await checkScreen(page, 'modeler-folder');
    expect(await page.title()).toBe('second.bpmn · Perdure');

    await fileLink(page, 'first.bpmn').click();
    await page.getByRole('heading', { name: 'first.bpmn' }).waitFor();
    expect(await page.title()).toBe('first.bpmn · Perdure');
    expect(await elementIn(page, 'Pack').count()).toBe(0);
    await button(page, 'Undo').click();
    await elementIn(page, 'Pack').waitFor();
    await page.getByRole('textbox', { name: 'File name' }).fill('renamed.bpmn');
    await fileLink(page, 'renamed.bpmn').waitFor();
    await button(page, 'Save').click();
    await page.getByText('renamed.bpmn saved.').waitFor();
    await page.waitForTimeout(1_000);
    await page.close();

    // The issuer still knows the person.
    const again = await console.newPage();
    await again.goto(`${console.host.url}/console/projects/demo/modeler/${first}`);
    await fileLink(again, 'renamed.bpmn').waitFor();
    await fileLink(again, 'second.bpmn with unsaved edits').click();
    await again.getByText('Your unsaved edits were restored.').waitFor();
    await again.setViewportSize({ width: 420, height: 900 });
    await checkScreen(again, 'modeler-folder-narrow');
  });

  it('keeps the edits of more files than have an editor', async () => {
    const page = await open(await save('form-0.form', form('form-0', 'Zero')));
    for (let number = 1; number <= 6; number += 1) await save(`form-${number}.form`, form(`form-${number}`, 'Other'));
    await page.reload();
    const text = page.getByRole('textbox', { name: 'JSON' });
    for (let number = 0; number <= 6; number += 1) {
      await fileLink(page, `form-${number}.form`).click();
      await page.getByRole('heading', { name: `form-${number}.form` }).waitFor();
      await text.fill(form(`form-${number}`, `Edited ${number}`));
    }
    await fileLink(page, 'form-0.form').click();
    await page.getByText('Your unsaved edits were restored.').filter({ visible: true }).waitFor();
    expect(await text.inputValue()).toContain('Edited 0');
    await fileLink(page, 'form-6.form').click();
    await page.getByRole('heading', { name: 'form-6.form' }).waitFor();
    expect(await text.inputValue()).toContain('Edited 6');
  });

  it('has the called processes and forms of a play, and is deployed as one bundle', async () => {
    const main = await save(
      'ordering.bpmn',
      withDiagram(
        sequenceModel('ordering', [
          userTask('Check', { name: 'Check the order', formID: 'checking' }),
          callActivity('Deliver', 'delivering', { name: 'Deliver it' }),
        ]),
        'ordering',
        ['start', 'Check', 'Deliver', 'end'].map((id, index) => shape(id, 150 * index, 0)),
      ),
    );
    await save('checking.form', form('checking', 'Verdict'));
    await save('delivering.bpmn', drawn('delivering', serviceTask('Drive', { name: 'Drive there' }), 'Drive'));
    await save('other.bpmn', drawn('other', serviceTask('Rest'), 'Rest'));
    const page = await open(main);
    await elementIn(page, 'Check').waitFor();
    await page.getByLabel('Add scenarios').setInputFiles(
      file(
        'delivered.scenario.json',
        JSON.stringify({
          name: 'Delivered',
          process: 'ordering',
          start: {},
          steps: [{ completeTask: { node: 'Check' } }, { completeJob: { node: 'Drive' } }],
          expect: { status: 'COMPLETED' },
        }),
      ),
    );
    await page.getByRole('region', { name: 'Scenarios' }).getByText('1 passed').waitFor();

    await page.getByRole('link', { name: 'Play', exact: true }).click();
    await button(page, 'Start').click();
    await button(page, 'Complete: Check the order').click();
    await page.getByRole('textbox', { name: 'Verdict' }).fill('good');
    await button(page, 'Complete').click();
    await button(page, 'Complete: Drive there').waitFor();
    await page.goBack();

    await button(page, 'Deploy').click();
    const dialog = page.getByRole('dialog', { name: 'Deploy ordering.bpmn' });
    for (const name of ['checking.form', 'delivering.bpmn'])
      expect(await dialog.getByRole('checkbox', { name }).isChecked()).toBe(true);
    expect(await dialog.getByRole('checkbox', { name: 'other.bpmn' }).isChecked()).toBe(false);
    await dialog.getByText('New or changed: 3 files.').waitFor();
    await checkScreen(page, 'modeler-deploy-folder');
    await dialog.getByLabel('Reason').fill('orders are delivered');
    await button(page, 'Deploy all').click();
    await dialog.getByText('Deployed. New or changed: 3 files.').waitFor();
  });

  it('takes new files, chosen files, and scenarios, and gives up files that are deleted', async () => {
    const page = await open('new');
    await button(page, 'New file').click();
    await button(page, 'Form').click();
    await page.getByRole('heading', { name: /^form-/ }).waitFor();
    await page.getByRole('textbox', { name: 'File name' }).fill('question.form');
    await button(page, 'Save').click();
    await page.getByText('question.form saved as a draft.').waitFor();
    await page.waitForURL(/\/modeler\/[0-9a-f-]{36}$/);

    await folder(page)
      .getByLabel('Add files')
      .setInputFiles([
        file('added.bpmn', drawn('added', serviceTask('Weigh'), 'Weigh')),
        file(
          'weighed.scenario.json',
          JSON.stringify({ name: 'Weighed', process: 'added', start: {}, steps: [{ completeJob: { node: 'Weigh' } }] }),
        ),
        file('notes.bpmn', 'no XML at all'),
      ]);
    await folder(page).getByRole('alert').getByText('notes.bpmn').waitFor();
    await page.getByRole('heading', { name: 'added.bpmn' }).waitFor();
    await page.getByRole('region', { name: 'Scenarios' }).getByText('1 passed').waitFor();

    await button(page, 'Delete added.bpmn').click();
    await button(page, 'Delete').click();
    await page.getByText('added.bpmn deleted.').waitFor();
    await fileLink(page, 'added.bpmn').waitFor({ state: 'detached' });
    const { data } = await console.host.call('editor', 'GET', '/resources?isDeployed=false&pageSize=100');
    const names = data.map(({ name }: { name: string }) => name);
    expect(names).toContain('question.form');
    expect(names).not.toContain('added.bpmn');
  });
});
