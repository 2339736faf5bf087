import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '@perdure/bpmn/compile/compile.js';
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { exampleFile } from './support/host.js';

vi.setConfig({ testTimeout: 120_000 });

const modeler = (resourceID: string) => `/console/projects/demo/modeler/${resourceID}`;
const example = exampleFile('collect-payment.bpmn');

interface Draft {
  id: string;
  name: string;
  xml: string;
}

/** Waits until the diagram shows the element. */
const drawn = (page: Page, id: string) => page.locator(`.djs-element[data-element-id="${id}"]`).first().waitFor();

/** Renames an element as people do: they select it, and change its name in the panel. */
async function rename(page: Page, id: string, name: string): Promise<void> {
  await drawn(page, id);
  await page.locator(`.djs-element[data-element-id="${id}"] .djs-hit`).first().click();
  const panel = page.getByRole('group', { name: 'Properties' });
  const field = panel.locator('#bio-properties-panel-name');
  await field.waitFor({ state: 'attached' });
  if (!(await field.isVisible())) await panel.getByText('General', { exact: true }).click();
  await field.fill(name);
  await page.getByText('Unsaved', { exact: true }).waitFor();
}

/** Whether the browser stored edits. */
const copiesExist = `indexedDB.databases().then((all) => all.some(({ name }) => name === 'perdure.modeler'))`;

const showXml = (page: Page) => page.getByRole('button', { name: 'XML', exact: true }).click();
const showDiagram = (page: Page) => page.getByRole('button', { name: 'Diagram', exact: true }).click();

describe.skipIf(reasonToSkip)('the modeler', () => {
  const console = useConsole();

  const save = (name: string, xml: string) => console.host.call<Draft>('editor', 'POST', '/resources', { name, xml });
  const read = (id: string) => console.host.call<Draft>('editor', 'GET', `/resources/${id}`);

  it('starts in an empty project with a blank page, whose draft it saves and deploys with a reason', async () => {
    const page = await console.open('editor', '/console/projects/demo/processes');
    await page.getByRole('link', { name: 'Draw a process' }).click();
    await drawn(page, 'start');
    await page.getByText('No problems').waitFor();
    await page.getByLabel('File name').fill('hello.bpmn');
    await rename(page, 'end', 'Said hello');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/\/modeler\/[0-9a-f-]{36}$/);
    await page.getByText('Saved', { exact: true }).waitFor();
    const saved = await read(new URL(page.url()).pathname.split('/').at(-1)!);
    expect(saved).toMatchObject({ name: 'hello.bpmn', xml: expect.stringContaining('name="Said hello"') });

    await drawn(page, 'end');
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Deploy hello.bpmn' });
    await dialog.getByText('New', { exact: true }).waitFor();
    await dialog.getByLabel('Reason').fill('greets people');
    await checkScreen(page, 'modeler-deploy');
    await dialog.getByRole('button', { name: 'Deploy all' }).click();
    await dialog.getByText('Deployed. New or changed: 1 file.').waitFor();
  });

  it('shows no file as unsaved without an edit, and leaves a drawing where it is', async () => {
    const page = await console.open('editor', modeler('new'));
    const badge = (text: string) => page.getByText(text, { exact: true });
    const isSettled = async (text: string) => {
      await page.getByText('No problems').waitFor();
      await badge(text).waitFor();
      // Longer than edits take to be written.
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 1_000))');
      expect(await page.getByText('Unsaved').count()).toBe(0);
    };
    await drawn(page, 'end');
    await isSettled('New');
    // The panel settles with each element that is selected, and with each of its groups.
    for (const id of ['end', 'start']) {
      await page.locator(`.djs-element[data-element-id="${id}"] .djs-hit`).first().click();
      await page.getByRole('group', { name: 'Properties' }).getByText('Documentation', { exact: true }).click();
    }
    await isSettled('New');
    for (const blank of ['new-decisions', 'new-form']) {
      await page.goto(`${console.host.url}${modeler(blank)}`);
      await isSettled('New');
    }
    // The drawing is far from the origin.
    const far = example.replace(/ y="(\d+)"/g, (_, y: string) => ` y="${Number(y) + 500}"`);
    const { id } = await save('payment.bpmn', far);
    await page.goto(`${console.host.url}${modeler(id)}`);
    await drawn(page, 'ChargeCard');
    await isSettled('Saved');
    // A drawing is written where it was drawn.
    await rename(page, 'ChargeCard', 'Charge');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await badge('Saved').waitFor();
    // Before the page has removed its copy of the edits.
    await page.reload();
    await drawn(page, 'ChargeCard');
    await isSettled('Saved');
    expect(await page.getByRole('img', { name: 'with unsaved edits' }).count()).toBe(0);
    const placesOf = (xml: string) =>
      xml.match(/<(?:dc:Bounds|di:waypoint) [^>]*>/g)?.map((place) => place.replace(/\s*\/>/, '/>'));
    expect(placesOf((await read(id)).xml)).toEqual(placesOf(far));
  });

  it('shows the problems of the model while it is edited, in a list and on the diagram', async () => {
    const { id } = await save('order.bpmn', exampleFile('order-fulfilment.bpmn'));
    const page = await console.open('editor', modeler(id));
    await drawn(page, 'ReserveStock');
    await page.getByRole('table', { name: 'Problems' }).getByText('Warning', { exact: true }).first().waitFor();
    await checkScreen(page, 'modeler');
    await showXml(page);
    const text = page.getByRole('textbox', { name: 'XML' });
    await text.fill((await text.inputValue()).replace(/<zeebe:taskDefinition type="reserve-stock"[^>]*>/, ''));
    const problems = page.getByRole('table', { name: 'Problems' });
    await problems.getByText('Error', { exact: true }).first().waitFor();
    await checkScreen(page, 'modeler-xml');
    await showDiagram(page);
    await page.locator('[data-mark="error"]').first().waitFor();
    await problems.getByRole('button').first().click();
    await page.locator('.djs-element.selected[data-element-id="ReserveStock"]').waitFor();
    await page.setViewportSize({ width: 420, height: 900 });
    await checkScreen(page, 'modeler-narrow');
  });

  it('keeps edits in the browser when the tab is closed, and forgets them when they are discarded', async () => {
    const { id } = await save('kept.bpmn', example);
    const page = await console.open('editor', modeler(id));
    // The vertical tab is a line break of Word, and no character of XML.
    await rename(page, 'ChargeCard', 'Charge\u000b twice');
    await showXml(page);
    await page.waitForFunction(copiesExist);
    await page.waitForTimeout(1_000);
    await page.close();

    // The issuer still knows the person.
    const other = await console.newPage();
    await other.goto(`${console.host.url}${modeler(id)}`);
    await other.getByText('Your unsaved edits were restored.').waitFor();
    await showXml(other);
    expect(await other.getByRole('textbox', { name: 'XML' }).inputValue()).toContain('Charge twice');
    await other.getByRole('button', { name: 'Discard edits' }).click();
    await other.getByText('Saved', { exact: true }).waitFor();
    await showXml(other);
    expect(await other.getByRole('textbox', { name: 'XML' }).inputValue()).toBe((await read(id)).xml);
  });

  it('keeps the edit right before another screen is opened', async () => {
    const { id } = await save('left.bpmn', example);
    const page = await console.open('editor', modeler(id));
    await drawn(page, 'ChargeCard');
    await page.locator('.djs-element[data-element-id="ChargeCard"] .djs-hit').first().click();
    await page.keyboard.press('Delete');
    await page.locator('main').getByRole('link', { name: 'Deploy' }).first().click();
    await page.getByRole('heading', { name: 'Deploy', exact: true }).waitFor();
    await page.goBack();
    await page.getByText('Your unsaved edits were restored.').waitFor();
    await showXml(page);
    expect(await page.getByRole('textbox', { name: 'XML' }).inputValue()).not.toContain('id="ChargeCard"');
  });

  it('removes the edits of a person who signs out', async () => {
    const { id } = await save('mine.bpmn', example);
    const page = await console.open('editor', modeler(id));
    await rename(page, 'ChargeCard', 'Secret');
    await page.waitForFunction(copiesExist);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/session\/end/);
    const other = await console.newPage();
    await other.goto(`${console.host.url}/console/signed-out`);
    expect(await other.evaluate(copiesExist)).toBe(false);
  });

  it('keeps edits that are made while a new draft is saved', async () => {
    const page = await console.open('editor', '/console/projects/demo/deploy');
    await page.getByRole('link', { name: 'New draft' }).click();
    await rename(page, 'end', 'First');
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/bpmn/resources', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await rename(page, 'start', 'Second');
    await showXml(page);
    release();
    await page.waitForURL(/\/modeler\/[0-9a-f-]{36}$/);
    await page.getByText('Your unsaved edits were restored.').waitFor();
    await showXml(page);
    expect(await page.getByRole('textbox', { name: 'XML' }).inputValue()).toContain('name="Second"');
    const { xml } = await read(new URL(page.url()).pathname.split('/').at(-1)!);
    expect(xml).toContain('name="First"');
    expect(xml).not.toContain('name="Second"');
  });

  it('never overwrites what another person saved: it shows their changes, and saves mine as a copy', async () => {
    const { id } = await save('shared.bpmn', example);
    const page = await console.open('editor', modeler(id));
    await rename(page, 'ChargeCard', 'Mine');
    const theirs = example.replace('id="ChargeCard" name="Charge card"', 'id="ChargeCard" name="Theirs"');
    expect(theirs).not.toBe(example);
    await console.host.call('editor', 'PUT', `/resources/${id}`, { name: 'shared.bpmn', xml: theirs });

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Another person changed shared.bpmn' });
    const changes = dialog.getByRole('table', { name: 'Changes' });
    await changes.getByText('Changed', { exact: true }).waitFor();
    await changes.getByRole('button', { name: 'Theirs' }).waitFor();
    await dialog.getByText('You changed these elements too: Theirs.').waitFor();
    for (const side of ['before', 'after'])
      await dialog.getByRole('group', { name: side, exact: true }).getByText('Changed', { exact: true }).waitFor();
    await checkScreen(page, 'modeler-conflict');
    await page.route('**/bpmn/resources', (route) => route.fulfill({ status: 503, json: { title: 'Unavailable' } }), {
      times: 1,
    });
    await dialog.getByRole('button', { name: 'Save mine as a copy' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Save as a new draft' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('button', { name: 'Save mine as a copy' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await read(id)).xml).toContain('Theirs');
    const copy = await read(new URL(page.url()).pathname.split('/').at(-1)!);
    expect(copy).toMatchObject({ name: 'shared (copy).bpmn', xml: expect.stringContaining('name="Mine"') });
  });

  it('loads their version where that is chosen', async () => {
    const { id } = await save('theirs.bpmn', example);
    const page = await console.open('editor', modeler(id));
    await rename(page, 'ChargeCard', 'Mine');
    await console.host.call('editor', 'PUT', `/resources/${id}`, { name: 'renamed.bpmn', xml: example });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Another person changed theirs.bpmn' });
    await dialog.getByText('No differences.').waitFor();
    await dialog.getByRole('button', { name: 'Load theirs, discard mine' }).click();
    await page.getByRole('heading', { name: 'renamed.bpmn' }).waitFor();
    await drawn(page, 'ChargeCard');
    await page.getByText('Saved', { exact: true }).waitFor();
  });

  it('offers the element templates of the project, next to those of Perdure', async () => {
    const property = { type: 'Hidden', value: 'mail', binding: { type: 'zeebe:taskDefinition', property: 'type' } };
    const template = { id: 'mail', name: 'Send a mail', version: 3, appliesTo: ['bpmn:ServiceTask'] };
    await console.host.call('editor', 'POST', '/deployments', {
      files: [{ name: 'mail.template.json', content: JSON.stringify({ ...template, properties: [property] }) }],
    });
    const { id } = await save('templates.bpmn', example);
    const page = await console.open('editor', modeler(id));
    await drawn(page, 'ChargeCard');
    await page.locator('.djs-element[data-element-id="ChargeCard"] .djs-hit').first().click();
    await page.getByRole('group', { name: 'Properties' }).getByRole('button', { name: 'Select' }).click();
    await page.getByText('HTTP task', { exact: true }).waitFor();
    await checkScreen(page, 'modeler-templates');
    await page.getByText('Send a mail', { exact: true }).click();
    await page.getByText('Unsaved', { exact: true }).waitFor();
    await showXml(page);
    const text = await page.getByRole('textbox', { name: 'XML' }).inputValue();
    expect(text).toMatch(/id="ChargeCard"[^>]*zeebe:modelerTemplate="mail" zeebe:modelerTemplateVersion="3"/);
    expect(text).toContain('<zeebe:taskDefinition type="mail"');
  });

  it('sets and removes the limit key of a task, an extension of Perdure', async () => {
    const { id } = await save('limited.bpmn', example);
    const page = await console.open('editor', modeler(id));
    await drawn(page, 'ChargeCard');
    await page.locator('.djs-element[data-element-id="ChargeCard"] .djs-hit').first().click();
    const panel = page.getByRole('group', { name: 'Properties' });
    await panel.getByText('Job limit', { exact: true }).click();
    const key = panel.locator('[data-entry-id="perdure-limit-key"] .cm-content');
    await key.fill('customerId');
    await page.getByText('Unsaved', { exact: true }).waitFor();
    // The warning is about the process, which has no place on its diagram.
    await page.getByRole('table', { name: 'Problems' }).getByText('customerId (read by ChargeCard)').waitFor();
    expect(await page.locator('[data-mark]').count()).toBe(0);
    await checkScreen(page, 'modeler-limit');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await read(id)).xml).toContain('<perdure:limit key="=customerId" />');

    await key.fill('');
    await page.getByText('Unsaved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await read(id)).xml).not.toContain('perdure:limit');
  });

  it('edits a copy of a version, and leaves the version as it is', async () => {
    await console.host.deploy('version.bpmn', example);
    const page = await console.open('editor', '/console/projects/demo/processes/collect-payment');
    await page.getByRole('link', { name: 'Edit a copy' }).click();
    await rename(page, 'ChargeCard', 'Charge the card');
    const original = new URL(page.url()).pathname.split('/').at(-1)!;
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(original));
    expect((await read(original)).xml).toBe(example);
  });

  it('opens a file without a drawing as text, and keeps it', async () => {
    const { id } = await save('undrawn.bpmn', example.replace(/<bpmndi:BPMNDiagram[^]*<\/bpmndi:BPMNDiagram>/, ''));
    const page = await console.open('editor', modeler(id));
    await page.getByText('The diagram cannot show this file.').waitFor();
    await page.getByText('No problems').waitFor();
    expect(await page.getByRole('textbox', { name: 'XML' }).inputValue()).toBe((await read(id)).xml);
  });

  it('shows no diagram of what the browser cannot read as XML, which would change it', async () => {
    const { id } = await save('entity.bpmn', example);
    const page = await console.open('editor', modeler(id));
    await drawn(page, 'ChargeCard');
    await showXml(page);
    const text = page.getByRole('textbox', { name: 'XML' });
    const broken = example.replace('name="Charge card"', 'name="Charge&nbsp;card"');
    await text.fill(broken);
    await showDiagram(page);
    await page.getByText(/The file is not well-formed XML, see line \d+\./).waitFor();
    expect(await text.inputValue()).toBe(broken);
    await text.fill(example);
    await showDiagram(page);
    await drawn(page, 'ChargeCard');
  });

  it('opens and saves the examples so that they run as before', async () => {
    const page = await console.open('editor', modeler('new'));
    await drawn(page, 'start');
    const assets = readdirSync(join(repositoryRoot, 'dist', 'console', 'assets'));
    const module = assets.find((name) => /^bpmn-modeler-.*\.js$/.test(name))!;
    for (const name of ['collect-payment.bpmn', 'order-fulfilment.bpmn']) {
      const xml = exampleFile(name);
      const saved = await page.evaluate<string>(`(async () => {
        const { createBpmnModeler } = await import(${JSON.stringify(`/console/assets/${module}`)});
        const [canvas, panel] = [0, 1].map(() => document.body.appendChild(document.createElement('div')));
        const modeler = createBpmnModeler({ canvas, panel }, () => undefined);
        await modeler.open(${JSON.stringify(xml)});
        return modeler.write();
      })()`);
      const [before, after] = [await compile(xml), await compile(saved)];
      expect(after.processes.map(({ sha256 }) => sha256)).toEqual(before.processes.map(({ sha256 }) => sha256));
      expect(after.processes.length).toBeGreaterThan(0);
    }
  });

  it('shares no module of diagrams with the viewer, which would load all that the modeler uses', () => {
    const folder = join(repositoryRoot, 'dist', 'console', 'assets');
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
    const withCanvas = scripts.filter((name) => readFileSync(join(folder, name), 'utf8').includes('djs-container'));
    expect(withCanvas.map((name) => name.replace(/-[\w-]{8}\.js$/, '')).sort()).toEqual([
      'bpmn-diagram',
      'bpmn-modeler',
      'dmn-modeler',
    ]);
  });

  it('is not there for an executor', async () => {
    const page = await console.open('executor', modeler('new'));
    await page.locator('main').waitFor();
    expect(await page.getByLabel('File name').count()).toBe(0);
  });
});
