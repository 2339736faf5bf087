import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';

vi.setConfig({ testTimeout: 120_000 });

const modeler = (resourceID: string) => `/console/projects/demo/modeler/${resourceID}`;

interface Draft {
  id: string;
  name: string;
  xml: string;
}

const rule = (id: string, test: string, result: string) =>
  `<rule id="${id}"><inputEntry id="${id}-in"><text>${test}</text></inputEntry><outputEntry id="${id}-out"><text>${result}</text></outputEntry></rule>`;

const rules = `${rule('small', '&lt; 100', '0')}${rule('large', '&gt;= 100', '0.1')}`;

const drawing = `<dmndi:DMNDI><dmndi:DMNDiagram id="diagram">
    <dmndi:DMNShape id="amount-shape" dmnElementRef="amount"><dc:Bounds x="100" y="300" width="125" height="45"/></dmndi:DMNShape>
    <dmndi:DMNShape id="discount-shape" dmnElementRef="discount"><dc:Bounds x="100" y="100" width="180" height="80"/></dmndi:DMNShape>
  </dmndi:DMNDiagram></dmndi:DMNDI>`;

/** A decision with its input, in the newest version of DMN. */
const file = (content = rules, extra = '') => `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20230324/MODEL/" xmlns:dmndi="https://www.omg.org/spec/DMN/20230324/DMNDI/" xmlns:dc="http://www.omg.org/spec/DMN/20180521/DC/" xmlns:acme="urn:acme" id="discounts" name="discounts" namespace="urn:discounts">
  ${extra}
  <inputData id="amount" name="amount"><variable id="amount-variable" name="amount" typeRef="number"/></inputData>
  <decision id="discount" name="Discount">
    <variable id="discount-variable" name="Discount" typeRef="number"/>
    <informationRequirement id="needs-amount"><requiredInput href="#amount"/></informationRequirement>
    <decisionTable id="table" hitPolicy="FIRST">
      <input id="amount-column" label="Amount"><inputExpression id="amount-expression" typeRef="number"><text>amount</text></inputExpression></input>
      <output id="discount-column" label="Rate" name="rate" typeRef="number"/>
      ${content}
    </decisionTable>
  </decision>
  ${drawing}
</definitions>
`;

const cell = (page: Page, id: string) => page.locator(`td[data-element-id="${id}"]`);

/** Types into a cell as people do. */
async function fill(page: Page, id: string, text: string): Promise<void> {
  await cell(page, id).click();
  const editor = cell(page, id).locator('[contenteditable]').first();
  await editor.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
  await page.getByText('Unsaved', { exact: true }).waitFor();
}

const showXml = (page: Page) => page.getByRole('button', { name: 'XML', exact: true }).click();
const showDecisions = (page: Page) => page.getByRole('button', { name: 'Decisions', exact: true }).click();
const xmlOf = (page: Page) => page.getByRole('textbox', { name: 'XML' });
const copiesExist = `indexedDB.databases().then((all) => all.some(({ name }) => name === 'perdure.modeler'))`;

describe.skipIf(reasonToSkip)('the editor of decisions', () => {
  const console = useConsole();

  const save = (name: string, xml: string) => console.host.call<Draft>('editor', 'POST', '/resources', { name, xml });
  const read = (id: string) => console.host.call<Draft>('editor', 'GET', `/resources/${id}`);

  it('edits a cell, tries the decision, marks the rule that matched, saves the draft, and deploys it', async () => {
    const { id } = await save('discounts.dmn', file());
    const page = await console.open('editor', modeler(id));
    await cell(page, 'large-out').waitFor();
    await page.getByText('No problems').waitFor();
    await fill(page, 'large-out', '0.25');
    await page.getByLabel('amount', { exact: true }).fill('200');
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await page.getByRole('group', { name: 'Try it' }).getByText('0.25', { exact: true }).waitFor();
    const colorOf = (it: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('td[data-element-id="${it}"]')).backgroundColor`);
    const colors = [await colorOf('small-in'), await colorOf('large-in')];
    expect(colors[0]).not.toBe(colors[1]);
    await checkScreen(page, 'modeler-decisions');
    await page.setViewportSize({ width: 420, height: 900 });
    await checkScreen(page, 'modeler-decisions-narrow');
    await page.setViewportSize({ width: 1280, height: 800 });

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { xml } = await read(id);
    expect(xml).toContain('<text>0.25</text>');
    expect(xml).toContain('https://www.omg.org/spec/DMN/20230324/MODEL/');
    expect(xml).not.toContain('20191111');

    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Deploy discounts.dmn' });
    await dialog.getByLabel('Reason').fill('a better rate');
    await dialog.getByRole('button', { name: 'Deploy all' }).click();
    await dialog.getByText('Deployed. New or changed: 1 file.').waitFor();
    await page.goto(`${console.host.url}/console/projects/demo/decisions/discounts`);
    await page.getByRole('link', { name: 'Edit a copy' }).click();
    await cell(page, 'large-out').getByText('0.25').waitFor();
  });

  it('shows requirements and each decision, and undoes an edit', async () => {
    const { id } = await save('parts.dmn', file());
    const page = await console.open('editor', modeler(id));
    await cell(page, 'small-in').waitFor();
    await page.getByRole('button', { name: 'Requirements' }).click();
    await page.locator('.djs-element[data-element-id="amount"]').waitFor();
    await checkScreen(page, 'modeler-requirements');
    await page.getByRole('button', { name: 'Discount', exact: true }).click();
    await fill(page, 'small-out', '7');
    await page.getByRole('button', { name: 'Undo' }).click();
    await showXml(page);
    expect(await xmlOf(page).inputValue()).toMatch(/id="small-out">\s*<text>0<\/text>/);
  });

  it('lists the problems of the compiler while a cell is edited, and leads to the cell', async () => {
    const { id } = await save('wrong.dmn', file());
    const page = await console.open('editor', modeler(id));
    await cell(page, 'small-out').waitFor();
    await page.getByText('No problems').waitFor();
    await fill(page, 'small-out', '1 +');
    const problems = page.getByRole('table', { name: 'Problems' });
    await problems.getByText('Error', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Requirements' }).click();
    await problems.getByRole('button', { name: 'Discount, rule 1' }).first().click();
    await cell(page, 'small-out').waitFor();
    await checkScreen(page, 'modeler-decisions-problem');
  });

  it('keeps edits in the browser when the tab is closed', async () => {
    const { id } = await save('kept.dmn', file());
    const page = await console.open('editor', modeler(id));
    await cell(page, 'small-out').waitFor();
    await fill(page, 'small-out', '0.05');
    await page.waitForFunction(copiesExist);
    await page.waitForTimeout(1_000);
    await page.close();
    const other = await console.newPage();
    await other.goto(`${console.host.url}${modeler(id)}`);
    await other.getByText('Your unsaved edits were restored.').waitFor();
    await cell(other, 'small-out').getByText('0.05').waitFor();
  });

  it('never overwrites what another person saved, and shows their lines', async () => {
    const { id } = await save('shared.dmn', file());
    const page = await console.open('editor', modeler(id));
    await cell(page, 'small-out').waitFor();
    await fill(page, 'small-out', '0.05');
    const theirs = file(`${rules}${rule('huge', '&gt;= 1000', '0.2')}`);
    await console.host.call('editor', 'PUT', `/resources/${id}`, { name: 'shared.dmn', xml: theirs });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Another person changed shared.dmn' });
    await dialog.getByRole('group', { name: 'With their changes' }).getByText('id="huge"').waitFor();
    await checkScreen(page, 'modeler-decisions-conflict');
    await dialog.getByRole('button', { name: 'Save mine as a copy' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await read(id)).xml).toContain('id="huge"');
    const copy = await read(new URL(page.url()).pathname.split('/').at(-1)!);
    expect(copy).toMatchObject({ name: 'shared (copy).dmn', xml: expect.stringContaining('<text>0.05</text>') });
  });

  it('keeps what it does not understand: comments, other namespaces, and attributes of other tools', async () => {
    const extra = `<!-- agreed in May --><extensionElements><acme:owner team="sales">Mrs. <acme:b>Müller</acme:b></acme:owner></extensionElements>`;
    const { id } = await save(
      'foreign.dmn',
      file(rules, extra).replace('id="discount" ', 'id="discount" acme:cost="3" '),
    );
    const page = await console.open('editor', modeler(id));
    await cell(page, 'small-out').waitFor();
    await fill(page, 'small-out', '0.05');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { xml } = await read(id);
    expect(xml).toContain('<!-- agreed in May -->');
    expect(xml).toContain('acme:cost="3"');
    expect(xml).toMatch(/<acme:owner team="sales">\s*Mrs\.\s+<acme:b>Müller<\/acme:b>\s*<\/acme:owner>/);
    expect(xml).toContain('<text>0.05</text>');
  });

  it('edits a file as XML that the editor would lose something of, and names it', async () => {
    const conditional = `<decision id="later" name="Later"><conditional id="choice"><if><literalExpression><text>true</text></literalExpression></if><then><literalExpression><text>1</text></literalExpression></then><else><literalExpression><text>2</text></literalExpression></else></conditional></decision>`;
    const xml = file(rules, conditional);
    const { id } = await save('conditional.dmn', xml);
    const page = await console.open('editor', modeler(id));
    await Promise.race([
      page.getByText('The decisions of this file are not shown.').waitFor(),
      cell(page, 'small-out').waitFor(),
    ]);
    await showXml(page);
    expect(await xmlOf(page).inputValue()).toBe(xml);
  });

  it('shows boxed expressions without an editor, which are edited as XML', async () => {
    const expression = (text: string) => `<literalExpression><text>${text}</text></literalExpression>`;
    const entry = (name: string, value: string) => `<contextEntry><variable name="${name}"/>${value}</contextEntry>`;
    const boxed = `<businessKnowledgeModel id="fee" name="Fee"><encapsulatedLogic id="fee-logic"><formalParameter id="fee-weight" name="weight"/><context id="fee-parts">${entry('base', expression('5'))}<contextEntry>${expression('base + weight')}</contextEntry></context></encapsulatedLogic></businessKnowledgeModel>
      <decision id="shipping" name="Shipping"><variable id="shipping-variable" name="Shipping"/><context id="parts">
        ${entry('carriers', `<list id="carriers">${expression('"Road"')}${expression('"Rail"')}</list>`)}
        ${entry('price', `<invocation id="call">${expression('Fee')}<binding><parameter id="call-weight" name="weight"/>${expression('amount')}</binding></invocation>`)}
      </context></decision>`;
    const { id } = await save('boxed.dmn', file(rules, boxed));
    const page = await console.open('editor', modeler(id));
    const shown = page.getByRole('region', { name: 'Boxed expressions' });
    await shown.getByText('Boxed expressions are edited as XML.').waitFor();
    const shipping = shown.getByRole('region', { name: 'Shipping' });
    for (const text of ['carriers', '"Rail"', 'Call', 'amount'])
      await shipping.getByText(text, { exact: true }).waitFor();
    await shown.getByRole('region', { name: 'Fee' }).getByText('Function (weight)').waitFor();
    expect(await shown.getByRole('region', { name: 'Discount' }).count()).toBe(0);
    await checkScreen(page, 'modeler-boxed');
    await shown.getByRole('button', { name: 'Edit as XML' }).click();
    await xmlOf(page).fill((await xmlOf(page).inputValue()).replace('"Rail"', '"Air"'));
    await shipping.getByText('"Air"', { exact: true }).waitFor();
  });

  it('stays usable with a table of 1,000 rules', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => rule(`r${index}`, `${index}`, `${index * 2}`)).join('\n');
    const { id } = await save('many.dmn', file(many));
    const page = await console.open('editor', modeler(id));
    await cell(page, 'r999-out').waitFor({ state: 'attached', timeout: 60_000 });
    await page.getByText('No problems').waitFor({ timeout: 60_000 });
    const started = performance.now();
    await fill(page, 'r3-out', '77');
    await page.getByLabel('amount', { exact: true }).fill('3');
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await page.getByRole('group', { name: 'Try it' }).getByText('77', { exact: true }).waitFor();
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it('says why pasted garbage has no decisions, keeps it, and continues when it is corrected', async () => {
    const { id } = await save('garbage.dmn', file());
    const page = await console.open('editor', modeler(id));
    await cell(page, 'small-out').waitFor();
    await showXml(page);
    for (const garbage of ['words', '<definitions', '<a/>', file().slice(0, 900)]) {
      await xmlOf(page).fill(garbage);
      await showDecisions(page);
      await page.getByText('The decisions of this file are not shown.').waitFor();
      expect(await xmlOf(page).inputValue()).toBe(garbage);
      await page.getByRole('table', { name: 'Problems' }).getByText('Error', { exact: true }).first().waitFor();
    }
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').first().waitFor();
    await xmlOf(page).fill(file());
    await showDecisions(page);
    await cell(page, 'small-out').waitFor();
  });

  it('starts with a blank table, which has no problems', async () => {
    const page = await console.open('editor', '/console/projects/demo/deploy');
    await page.getByRole('link', { name: 'New decision' }).click();
    await page.getByText('No problems').waitFor();
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await page.getByRole('group', { name: 'Try it' }).getByText('result').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/\/modeler\/[0-9a-f-]{36}$/);
    await page.goto(`${console.host.url}/console/projects/demo/deploy`);
    await page
      .getByRole('table', { name: 'Files' })
      .getByRole('link', { name: /^decisions-/ })
      .click();
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
    await page.getByRole('table', { name: 'Decision' }).waitFor();
  });

  it('opens and saves decisions of other tools without a difference for the compiler', async () => {
    const page = await console.open('editor', modeler('new-decisions'));
    await page.getByText('No problems').waitFor();
    const assets = readdirSync(join(repositoryRoot, 'dist', 'console', 'assets'));
    const module = assets.find((name) => /^dmn-modeler-.*\.js$/.test(name))!;
    const written = await page.evaluate<string>(`(async () => {
      const { createDmnModeler } = await import(${JSON.stringify(`/console/assets/${module}`)});
      const [canvas, panel] = [0, 1].map(() => document.body.appendChild(document.createElement('div')));
      const modeler = createDmnModeler({ canvas, panel }, { onEdit() {}, onParts() {} });
      await modeler.open(${JSON.stringify(file())});
      return modeler.write();
    })()`);
    expect(written.replace(/>\s+</g, '><').replace(/\s*\/>/g, '/>')).toContain('<rule id="small">');
  });
});

describe.skipIf(reasonToSkip)('the editor of forms', () => {
  const console = useConsole();

  it('shows the form while its JSON is edited, lists its problems, saves the draft, and deploys it', async () => {
    const page = await console.open('editor', '/console/projects/demo/deploy');
    await page.getByRole('link', { name: 'New form' }).click();
    await page.getByText('No problems').waitFor();
    const preview = page.getByLabel('Answer', { exact: true });
    await preview.fill('yes');
    await page.getByRole('button', { name: 'Check the input' }).click();
    await page.getByRole('group', { name: 'Variables' }).getByText('yes').waitFor();
    const text = page.getByRole('textbox', { name: 'JSON' });
    const json = await text.inputValue();
    await text.fill(json.replace('"label": "Answer"', '"label": "Your answer"'));
    await page.getByLabel('Your answer', { exact: true }).waitFor();
    await checkScreen(page, 'modeler-form');
    await page.setViewportSize({ width: 420, height: 900 });
    await checkScreen(page, 'modeler-form-narrow');
    await page.setViewportSize({ width: 1280, height: 800 });

    await text.fill(json.replace('"key": "answer"', '"key": 1'));
    await page.getByRole('table', { name: 'Problems' }).getByText('The key of component').waitFor();
    await text.fill(`${json.trimEnd()},`);
    await page.getByRole('table', { name: 'Problems' }).getByText('The form is not valid JSON').waitFor();
    await text.fill(json);
    await page.getByText('No problems').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/\/modeler\/[0-9a-f-]{36}$/);
    const draft = await console.host.call<Draft>(
      'editor',
      'GET',
      `/resources/${new URL(page.url()).pathname.split('/').at(-1)!}`,
    );
    expect(draft.xml).toBe(json);
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /^Deploy form-/ });
    await dialog.getByRole('button', { name: 'Deploy all' }).click();
    await dialog.getByText('Deployed. New or changed: 1 file.').waitFor();
    await page.goto(`${console.host.url}/console/projects/demo/forms`);
    await page.getByRole('link', { name: /^form-/ }).click();
    await page.getByRole('link', { name: 'Edit a copy' }).click();
    await page.getByRole('textbox', { name: 'JSON' }).waitFor();
  });
});
