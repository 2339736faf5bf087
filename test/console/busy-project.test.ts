/** The screens that people use most, with as much and as long content as a project has after weeks of work. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { fillProject, nextVersion, processID, versions } from './support/busy-project.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { fileWithDecisions } from './support/files.js';
import { exampleFile } from './support/host.js';
import { insertDeadLetters } from './support/past-deliveries.js';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const project = '/console/projects/demo';

describe.skipIf(reasonToSkip)('a project with hundreds of instances, ten versions, and long names', () => {
  const console = useConsole();
  let workflowID: string;

  beforeAll(async () => {
    workflowID = await fillProject(console.host);
  });

  /** Checks what the window shows, wide and as narrow as a phone. */
  async function checkWidths(page: Page, name: string): Promise<void> {
    await checkScreen(page, name);
    await page.setViewportSize({ width: 390, height: 844 });
    await checkScreen(page, `${name}-narrow`);
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  it('has a dashboard', async () => {
    const page = await console.open('viewer', `${project}/dashboard?range=7d`);
    await page.getByRole('img', { name: /^Instances per/ }).waitFor();
    await page.getByRole('table', { name: 'Largest groups' }).waitFor();
    await checkWidths(page, 'busy-dashboard');
    await page.evaluate('document.querySelector("main").scrollBy(0, 5_000)');
    await checkWidths(page, 'busy-dashboard-end');
  });

  it('has lists of instances, all and with filters', async () => {
    const page = await console.open('viewer', `${project}/instances`);
    const rows = page.getByRole('table', { name: 'Instances' }).locator('tbody tr');
    await rows.nth(49).waitFor();
    await checkWidths(page, 'busy-instances');
    await page.goto(
      `${console.host.url}${project}/instances?processId=${processID}&status=FAILED,CANCELED&failureReasonContains=credit&createdAfter=2026-01-01T00:00:00Z&sort=completedAt`,
    );
    await rows.first().waitFor();
    await checkWidths(page, 'busy-instances-filtered');
  });

  it('has an instance with its diagram, history, and waterfall', async () => {
    const page = await console.open('editor', `${project}/instances/${workflowID}`);
    await page.getByRole('button', { name: 'Show the whole diagram' }).waitFor();
    await page.getByRole('table', { name: 'activations' }).waitFor();
    await checkWidths(page, 'busy-instance');
    await page.goto(`${console.host.url}${project}/instances/${workflowID}?view=waterfall`);
    await page.getByRole('list', { name: 'Waterfall' }).waitFor();
    await page.getByRole('button', { name: 'Show the whole diagram' }).waitFor();
    await page.evaluate('document.querySelector("main").scrollBy(0, 5_000)');
    await checkWidths(page, 'busy-waterfall');
  });

  it('has statistics of each version', async () => {
    const page = await console.open('viewer', `${project}/processes/${processID}?view=time&compare=9`);
    await page.locator('[data-container-id="ApproveOrder"] [data-mark="label"]').first().waitFor({ timeout: 60_000 });
    await page.locator('canvas').first().waitFor();
    await checkWidths(page, 'busy-statistics');
    await page.evaluate('document.querySelector("main").scrollBy(0, 5_000)');
    await checkWidths(page, 'busy-statistics-end');
    // The others, and none.
    expect(await page.getByLabel('Compare with').locator('option').count()).toBe(versions);
  });

  it('has an inbox, and a task next to it', async () => {
    const page = await console.open('executor', `${project}/tasks`);
    const rows = page.getByRole('table', { name: 'Tasks' }).locator('tbody tr');
    await rows.nth(5).waitFor();
    await checkWidths(page, 'busy-inbox');
    await rows.getByRole('link').first().click();
    await page.getByRole('region', { name: 'Inbox' }).waitFor();
    await page.getByLabel('Note for the sales team').waitFor();
    await checkWidths(page, 'busy-inbox-task');
  });

  it('has a folder to deploy', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perdure-models-'));
    const files: Record<string, string> = {
      'processes/onboarding/business-customer-onboarding.bpmn': nextVersion,
      'processes/order-fulfilment.bpmn': exampleFile('order-fulfilment.bpmn'),
      'processes/payments/collect-payment.bpmn': exampleFile('collect-payment.bpmn'),
      'decisions/discounts-for-framework-agreements-and-long-standing-customers.dmn': fileWithDecisions,
      'README.md': 'no model',
    };
    for (let index = 1; index <= 8; index += 1)
      files[`forms/regional/approve-order-region-${index}.form`] = JSON.stringify({
        id: `approve-order-${index}`,
        type: 'default',
        schemaVersion: 16,
        components: [{ type: 'textfield', id: 'Note', key: 'note', label: 'Note' }],
      });
    try {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
      }
      const page = await console.open('editor', `${project}/deploy`);
      await page.getByLabel('Folder').setInputFiles(folder);
      const rows = page.getByRole('table', { name: 'Files to deploy' }).locator('tbody tr');
      await rows.filter({ hasText: 'discounts' }).getByText('New', { exact: true }).waitFor({ timeout: 60_000 });
      expect(await rows.count()).toBe(12);
      await checkWidths(page, 'busy-deploy');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has event subscriptions, of which one fails', async () => {
    await console.host.changeSettings({ eventRetention: 'P7D' });
    const names = [
      'Warehouse of the shop in Rotterdam',
      'Archive',
      'Data platform: completed instances of all regions',
      'On-call',
      'CRM',
    ];
    const ids: string[] = [];
    for (const [index, name] of names.entries()) {
      const settings = {
        name,
        url: `https://${name.split(/\W/)[0]!.toLowerCase()}.example.invalid/perdure/events/of/all/processes`,
        secret: 'EVENTS',
        types: ['perdure.instance.failed', 'perdure.instance.completed', 'perdure.incident.raised'].slice(index % 3),
        enabled: index !== 1,
      };
      ids.push(
        (await console.host.callProject('admin', 'POST', '/events/subscriptions', settings)).subscriptionID as string,
      );
    }
    const instances = Array.from(
      { length: 60 },
      (_, index) => `019a3c9a-7d1e-7a55-9c39-6f2b8f1f${String(index).padStart(4, '0')}`,
    );
    await insertDeadLetters(console.host.databaseUrl, ids[0]!, instances);
    const page = await console.open('admin', `${project}/event-subscriptions`);
    const row = page.getByRole('row', { name: /Warehouse of the shop/ });
    await row.getByText('Failing', { exact: true }).waitFor();
    await checkWidths(page, 'busy-subscriptions');
    await row.getByRole('link', { name: '60', exact: true }).click();
    await page.getByRole('table', { name: 'Dead letters' }).locator('tbody tr').first().waitFor();
    await checkWidths(page, 'busy-subscription');
  });
});
