import { describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { fileWithDecisions } from './support/files.js';
import { filesWithLinkedForm, filesWithStartForm, startFormFiles } from './support/form-files.js';

vi.setConfig({ testTimeout: 90_000 });

const contentOf = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([name, content]) => ({ name, content }));

describe.skipIf(reasonToSkip)('the deployments of a project', () => {
  const console = useConsole();
  const deploy = (files: Readonly<Record<string, string>>, said: object = {}) =>
    console.host.call('editor', 'POST', '/deployments', { files: contentOf(files), ...said });

  it('say who deployed what and why, and lead to the new versions', async () => {
    const page = await console.open('editor', '/console/projects/demo/deployments');
    await page.getByRole('heading', { name: 'No deployments yet' }).waitFor();
    await checkScreen(page, 'deployments-empty');
    await deploy({ ...filesWithLinkedForm, ...filesWithStartForm, 'discounts.dmn': fileWithDecisions });
    const changed = startFormFiles('order', [{ type: 'textfield', id: 'Field_article', key: 'article' }]);
    const name = 'Release 2026.11 of the shop';
    await deploy(
      { ...filesWithLinkedForm, ...changed, 'discounts.dmn': fileWithDecisions },
      { name, reason: 'Orders without an amount (ticket 4711)' },
    );
    await page.reload();
    const row = page.getByRole('row', { name: /ticket 4711/ });
    await row.getByText('2 changed, 3 unchanged').waitFor();
    await row.getByText(name).waitFor();
    await page.getByText('5 changed', { exact: true }).waitFor();
    await checkScreen(page, 'deployments');

    await row.getByRole('link', { name: 'order.bpmn, order.form' }).click();
    const files = page.getByRole('table', { name: 'Files' });
    await files.getByRole('row', { name: 'order.form' }).getByText('New version').waitFor();
    await files.getByRole('row', { name: 'approval.bpmn' }).getByText('Unchanged').waitFor();
    await files.getByRole('link', { name: 'discounts.dmn, version 1' }).waitFor();
    await checkScreen(page, 'deployment');
    await files.getByRole('link', { name: 'order, version 2' }).first().click();
    await page.getByRole('heading', { name: 'Version 2', exact: true }).waitFor();
  });

  it('lead to the element templates, which a deployment replaces by id', async () => {
    const template = { id: 'mail', name: 'Send a mail', version: 3, appliesTo: ['bpmn:ServiceTask'], properties: [] };
    const page = await console.open('viewer', '/console/projects/demo/element-templates');
    await page.getByRole('heading', { name: 'No element templates yet' }).waitFor();
    await deploy({ 'mail.template.json': JSON.stringify(template) }, { name: 'templates' });
    await page.reload();
    const row = page.getByRole('row', { name: /Send a mail/ });
    await row.getByText('bpmn:ServiceTask').waitFor();
    await checkScreen(page, 'element-templates');
    await page.getByRole('link', { name: 'Deployments', exact: true }).first().click();
    await page
      .getByRole('row', { name: /templates/ })
      .getByRole('link')
      .click();
    const file = page.getByRole('table', { name: 'Files' }).getByRole('row', { name: 'mail.template.json' });
    await file.getByText('Replaced').waitFor();
    await file.getByText('mail', { exact: true }).waitFor();
  });

  it('lead an editor to the screen that deploys', async () => {
    const page = await console.open('editor', '/console/projects/demo/deployments');
    await page.getByRole('link', { name: 'Deploy', exact: true }).click();
    await page.waitForURL(/\/deploy$/);
    const entry = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Deployments' });
    expect(await entry.getAttribute('class')).toContain('active');
  });
});

describe.skipIf(reasonToSkip)('the forms of a project', () => {
  const console = useConsole();

  it('are listed with the processes that use them, and shown as a task shows them', async () => {
    const page = await console.open('viewer', '/console/projects/demo/forms');
    await page.getByRole('heading', { name: 'No forms yet' }).waitFor();
    await console.host.deployBundle({ ...filesWithLinkedForm, ...filesWithStartForm });
    const unused = { 'a.form': JSON.stringify({ type: 'default', id: 'returns', components: [] }) };
    await console.host.call('editor', 'POST', '/deployments', { files: contentOf(unused) });
    await page.reload();
    await page
      .getByRole('row', { name: /returns/ })
      .getByText('No process')
      .waitFor();
    await page
      .getByRole('row', { name: /approval/ })
      .getByRole('link', { name: 'approval' })
      .last()
      .waitFor();
    await checkScreen(page, 'forms');

    await page
      .getByRole('row', { name: /^order / })
      .getByRole('link', { name: 'order' })
      .first()
      .click();
    const check = page.getByRole('button', { name: 'Check the input' });
    await page.getByLabel('Article').waitFor();
    await check.click();
    await page.getByText('Field is required.').waitFor();
    await page.getByLabel('Article').fill('Kettle');
    await page.getByLabel('Amount').fill('2');
    await check.click();
    await page.getByRole('group', { name: 'Variables' }).getByText('Kettle').waitFor();
    await checkScreen(page, 'form');
  });

  it('are shown in the version that the address names', async () => {
    const version = (label: string) => startFormFiles('versions', [{ type: 'textfield', id: 'F', key: 'a', label }]);
    for (const label of ['Former', 'Present']) await console.host.deployBundle(version(label));
    const page = await console.open('viewer', '/console/projects/demo/forms/versions?version=1');
    await page.getByLabel('Former').waitFor();
    await page.getByLabel('Version').selectOption('2 (newest)');
    await page.getByLabel('Present').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.goto(page.url().replace('/forms/versions', '/forms/missing'));
    await page.getByRole('alert').getByText('Not found').waitFor();
  });
});
