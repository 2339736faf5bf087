import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { fileWithDecisions } from './support/files.js';
import { filesWithStartForm } from './support/form-files.js';
import { exampleFile } from './support/host.js';

vi.setConfig({ testTimeout: 90_000 });

const address = '/console/projects/demo/deploy';
const broken = exampleFile('order-fulfilment.bpmn').replace('<zeebe:taskDefinition type="reserve-stock" />', '');

describe.skipIf(reasonToSkip)('the screen that deploys a folder', () => {
  const console = useConsole();
  const folders: string[] = [];

  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  /** Chooses a folder with these files, by their paths in it. */
  async function chooseFolder(page: Page, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'perdure-models-'));
    folders.push(folder);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    await page.getByLabel('Folder').setInputFiles(folder);
  }

  const row = (page: Page, name: string) =>
    page.getByRole('table', { name: 'Files to deploy' }).locator('tbody tr', { hasText: name });
  const deployments = async () => (await console.host.call('viewer', 'GET', '/deployments')).data as object[];

  it('shows what is new before it deploys all of it, and then that nothing is', async () => {
    const files = {
      ...filesWithStartForm,
      'decisions/discounts.dmn': fileWithDecisions,
      'mail.template.json': '{"id": "mail", "name": "Mail", "appliesTo": ["bpmn:Task"], "properties": []}',
      'notes.txt': 'not a model',
      '.git/old.bpmn': 'passed over in silence',
    };
    const page = await console.open('editor', address);
    await chooseFolder(page, files);
    for (const name of ['order.bpmn', 'order.form', 'decisions/discounts.dmn', 'mail.template.json'])
      await row(page, name).getByText('New', { exact: true }).waitFor();
    expect(await page.getByRole('table', { name: 'Files to deploy' }).locator('tbody tr').count()).toBe(4);
    await page.getByText('1 other file is skipped').click();
    await page.getByText(/notes\.txt$/).waitFor();
    expect(await deployments()).toEqual([]);
    await checkScreen(page, 'deploy-folder');

    await row(page, 'order.form').getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('dialog', { name: 'order.form' }).getByLabel('Article').waitFor();
    await checkScreen(page, 'deploy-folder-form');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();

    await page.getByLabel('Name').fill('release 7');
    await page.getByLabel('Reason').fill('CH-1207');
    await page.getByRole('button', { name: 'Deploy all' }).click();
    await page.getByText('Deployed. New or changed: 4 files.').waitFor();
    expect(await deployments()).toEqual([expect.objectContaining({ name: 'release 7', reason: 'CH-1207' })]);

    await chooseFolder(page, files);
    await page.getByText('Nothing is new.').waitFor();
    await row(page, 'order.form').getByText('Unchanged').waitFor();
    expect(await page.getByRole('button', { name: 'Deploy all' }).isDisabled()).toBe(true);
  });

  it('deploys nothing if one of the files is broken, and names its lines', async () => {
    const before = await deployments();
    const page = await console.open('editor', address);
    await chooseFolder(page, {
      'a.bpmn': exampleFile('collect-payment.bpmn'),
      'b.dmn': fileWithDecisions,
      'c.bpmn': broken,
    });
    await row(page, 'c.bpmn').getByText('Refused').waitFor();
    const problems = page.getByRole('table', { name: 'Problems' });
    await problems.getByRole('rowheader', { name: 'c.bpmn' }).waitFor();
    await problems
      .getByText(/^Line \d+, column \d+$/)
      .first()
      .waitFor();
    await page.getByText('Nothing was deployed. Correct the files with errors, and choose them again.').waitFor();
    expect(await page.getByRole('button', { name: 'Deploy all' }).isDisabled()).toBe(true);
    await checkScreen(page, 'deploy-folder-problems');
    await page.setViewportSize({ width: 420, height: 900 });
    await checkScreen(page, 'deploy-folder-narrow');
    expect(await deployments()).toEqual(before);
  });

  it('reads files in the encoding that they declare, and names one that is in another', async () => {
    const page = await console.open('editor', address);
    const latin = (form: string) => Buffer.from(form, 'latin1');
    const umlauts = fileWithDecisions.replace(/name="[^"]*"/, 'name="Ermäßigung"');
    await chooseFolder(page, {
      'declared.dmn': latin(umlauts.replace(/^(<\?xml[^>]*\?>)?/, '<?xml version="1.0" encoding="ISO-8859-1"?>')),
      'order.form': latin('{"id": "ä"}'),
    });
    await page
      .getByRole('table', { name: 'Problems' })
      .getByText(/order\.form is not UTF-8/)
      .waitFor();
    await row(page, 'declared.dmn').getByText('Not deployed').waitFor();
  });

  it('refuses what exceeds a deployment before it reads any of it', async () => {
    const page = await console.open('editor', address);
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`${index}.form`, '{}']));
    await chooseFolder(page, many);
    await page.getByText(/at most 100 files, but there are 101/).waitFor();
    await chooseFolder(page, { 'large.bpmn': Buffer.alloc(100 * 1024 * 1024), 'small.bpmn': broken });
    await page.getByText(/at most 20 MiB, but the files have 100\.0 MiB; the largest is large\.bpmn/).waitFor();
    await chooseFolder(page, { 'notes.txt': 'no model' });
    await page.getByText('There is no model to deploy.').waitFor();
  });

  it('takes several files that are dropped, and names two of the same name', async () => {
    const page = await console.open('editor', address);
    const drop = async (files: readonly (readonly [string, string])[]) => {
      const dataTransfer = await page.evaluateHandle(
        `(() => { const transfer = new DataTransfer(); for (const [name, text] of ${JSON.stringify(files)}) transfer.items.add(new File([text], name)); return transfer; })()`,
      );
      await page.locator('[data-drop="file"]').dispatchEvent('drop', { dataTransfer });
    };
    await drop([
      ['same.dmn', fileWithDecisions],
      ['same.dmn', fileWithDecisions],
    ]);
    await page.getByText('Two files are named same.dmn.').waitFor();
    await drop([
      ['one.dmn', fileWithDecisions],
      ['two.bpmn', exampleFile('collect-payment.bpmn')],
    ]);
    await row(page, 'two.bpmn').getByText('New', { exact: true }).waitFor();
  });
});
