import { describe, expect, it, vi } from 'vitest';
import type { Page } from 'playwright-core';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { fileWithDecisions } from './support/files.js';
import { exampleFile } from './support/host.js';

vi.setConfig({ testTimeout: 90_000 });

const address = '/console/projects/demo/deploy';
const sound = exampleFile('collect-payment.bpmn');
const withoutTaskType = exampleFile('order-fulfilment.bpmn').replace(
  '<zeebe:taskDefinition type="reserve-stock" />',
  '',
);

function chooseFile(page: Page, name: string, xml: string): Promise<void> {
  return page.getByLabel('Model files').setInputFiles({ name, mimeType: 'application/xml', buffer: Buffer.from(xml) });
}

describe.skipIf(reasonToSkip)('the screen that deploys files', () => {
  const console = useConsole();

  it('keeps a file as a draft, and deploys it from there', async () => {
    const page = await console.open('editor', address);
    await chooseFile(page, 'collect.bpmn', sound);
    await page.getByText('No problems').waitFor();
    await page.locator('.djs-element').first().waitFor();
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByText('collect.bpmn saved as a draft.').waitFor();
    await page
      .getByRole('table', { name: 'Files' })
      .locator('tbody tr', { hasText: 'Draft' })
      .getByRole('link', { name: 'collect.bpmn' })
      .waitFor();
    expect(await page.getByRole('button', { name: 'Save as draft' }).count()).toBe(0);
    await page.getByText('No problems').waitFor();
    await checkScreen(page, 'deploy');
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.waitForURL(/\/processes\/collect-payment$/);
    await page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor();
  });

  it('shows what is wrong with a file, in a list and on its diagram, and does not deploy it', async () => {
    const page = await console.open('editor', address);
    await chooseFile(page, 'broken.bpmn', withoutTaskType);
    const problems = page.getByRole('table', { name: 'Problems' });
    await problems.getByText('Error', { exact: true }).first().waitFor();
    await page.locator('[data-mark="error"]').first().waitFor();
    await problems.getByRole('button').first().click();
    await checkScreen(page, 'deploy-problems');
    expect(await page.getByRole('button', { name: 'Deploy', exact: true }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save as draft' }).isEnabled()).toBe(true);
  });

  it('takes a file that is dropped, and says why a file is not BPMN', async () => {
    const page = await console.open('editor', address);
    const files = await page.evaluateHandle(
      '(() => { const transfer = new DataTransfer(); transfer.items.add(new File(["these are words"], "words.bpmn")); return transfer; })()',
    );
    await page.locator('[data-drop="file"]').dispatchEvent('drop', { dataTransfer: files });
    await page.getByRole('heading', { name: 'words.bpmn' }).waitFor();
    await page.getByRole('table', { name: 'Problems' }).getByText('Error', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Deploy', exact: true }).isDisabled()).toBe(true);
  });

  it('replaces a draft by another file, and deletes it when that is confirmed', async () => {
    const page = await console.open('editor', address);
    await chooseFile(page, 'first.bpmn', withoutTaskType);
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByText('first.bpmn saved as a draft.').waitFor();
    await page.getByRole('table', { name: 'Problems' }).waitFor();
    await page.getByRole('button', { name: 'Replace' }).click();
    const dialog = page.getByRole('dialog');
    const file = dialog.getByLabel('New file');
    await file.setInputFiles({
      name: 'words.bpmn',
      mimeType: 'application/xml',
      buffer: Buffer.from('these are words'),
    });
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await dialog.getByRole('alert').waitFor();
    await file.setInputFiles({ name: 'second.bpmn', mimeType: 'application/xml', buffer: Buffer.from(sound) });
    await checkScreen(page, 'deploy-replace');
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await page.getByText('Draft replaced with second.bpmn.').waitFor();
    await page.getByRole('heading', { name: 'second.bpmn' }).waitFor();
    await page.getByText('No problems').waitFor();

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'second.bpmn' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Draft second.bpmn deleted.').waitFor();
    await page
      .getByRole('table', { name: 'Files' })
      .getByRole('link', { name: 'second.bpmn' })
      .waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('resource')).toBe(false);
  });

  it('tries a draft, whose instance is a test and in the list only when asked for', async () => {
    const page = await console.open('editor', address);
    await chooseFile(page, 'tried.bpmn', sound);
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByRole('button', { name: 'Try it' }).click();
    const dialog = page.getByRole('dialog', { name: 'Try the draft tried.bpmn' });
    await dialog.getByRole('textbox', { name: 'Variables' }).fill('{"orderID": "tried-1", "total": 7}');
    await checkScreen(page, 'deploy-try');
    await dialog.getByRole('button', { name: 'Start a test' }).click();
    await page.waitForURL(/\/instances\/test-/);
    await page.getByText('Test', { exact: true }).waitFor();

    await page.goto(`${new URL(page.url()).origin}/console/projects/demo/instances?processId=collect-payment`);
    await page
      .getByText('No instances match')
      .or(page.getByRole('table', { name: 'Instances' }))
      .first()
      .waitFor();
    expect(await page.getByText('Test', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Add filter' }).click();
    const add = page.getByRole('dialog', { name: 'Add filter' });
    await add.getByRole('button', { name: 'Tests of drafts' }).click();
    await page.getByLabel('Only tests').check();
    await page.keyboard.press('Escape');
    await page.getByRole('table', { name: 'Instances' }).getByText('Test', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Create a batch' }).count()).toBe(0);
  });

  it('deploys decisions, and says what is wrong with them', async () => {
    const page = await console.open('editor', address);
    await chooseFile(page, 'discounts.dmn', fileWithDecisions);
    await page.getByRole('table', { name: 'discount' }).getByText('>= 100').waitFor();
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.getByText('discounts.dmn deployed.').waitFor();
    expect(await page.getByRole('table', { name: 'Problems' }).count()).toBe(0);
    await chooseFile(page, 'discounts.dmn', fileWithDecisions.replace('amount * (1 - discount)', 'amount * (1 -'));
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page
      .getByRole('table', { name: 'Problems' })
      .getByText(/not valid FEEL/)
      .waitFor();
    await checkScreen(page, 'deploy-decisions');
    await page.getByRole('link', { name: 'version 2 of its decisions' }).click();
    await page.getByRole('heading', { name: 'discounts.dmn' }).waitFor();
  });

  it('is not there for an executor', async () => {
    const page = await console.open('executor', '/console/projects/demo/deployments');
    await page.getByRole('heading', { name: 'Deployments', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Deploy', exact: true }).count()).toBe(0);
  });

  it('converts a file of another engine, and shows what that changed', async () => {
    const page = await console.open('editor', address);
    const foreign = sound
      .replace('xmlns:zeebe=', 'xmlns:camunda="http://camunda.org/schema/1.0/bpmn" xmlns:zeebe=')
      .replace('</bpmn:process>', '<bpmn:serviceTask id="Notify" camunda:class="org.acme.Notify"/></bpmn:process>');
    await chooseFile(page, 'foreign.bpmn', foreign);
    await page.getByRole('button', { name: 'Convert it' }).click();
    const findings = page.getByRole('table', { name: 'Findings of the conversion' });
    await findings.getByText('A job worker for the type "notify" performs it instead of "org.acme.Notify".').waitFor();
    expect(await page.getByRole('button', { name: 'Convert it' }).count()).toBe(0);
    await checkScreen(page, 'deploy-converted');
  });
});
