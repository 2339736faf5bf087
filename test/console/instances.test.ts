import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { exampleFile } from './support/host.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('the list of instances', () => {
  const console = useConsole();
  const workflowIDs: string[] = [];

  beforeAll(async () => {
    await console.host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
    const definitionID = await console.host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
    for (let index = 0; index < 12; index += 1) {
      workflowIDs.push(await console.host.start(definitionID, { orderID: `order-${index}`, total: 120, items: [] }, `order-${index}`));
    }
    // Without the variables that its first decision reads: an incident.
    workflowIDs.push(await console.host.start(definitionID, {}, 'order-broken'));
    await console.host.call('editor', 'DELETE', `/instances/${workflowIDs[0]}`);
  });

  const rows = (page: Page) => page.getByRole('table', { name: 'Instances' }).locator('tbody tr');

  it('shows every instance with its process, its status and its marks', async () => {
    const page = await console.open('viewer');
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBe(13);
    await rows(page).filter({ hasText: 'order-0' }).getByText('Canceled').waitFor();
    await checkScreen(page, 'instances');
  });

  it('takes its filters from the address and puts them there', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances?status=CANCELED');
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBe(1);
    expect(await page.getByLabel('Status').inputValue()).toBe('CANCELED');
    await page.getByLabel('Status').selectOption('RUNNING');
    await page.getByLabel('Business id').fill('order-3');
    await page.waitForURL((url) => url.searchParams.get('businessId') === 'order-3' && url.searchParams.get('status') === 'RUNNING');
    await rows(page).filter({ hasText: workflowIDs[3] }).waitFor();
    await vi.waitFor(async () => expect(await rows(page).count()).toBe(1));
    await page.getByRole('button', { name: 'Clear' }).click();
    await vi.waitFor(async () => expect(await rows(page).count()).toBe(13), { timeout: 10_000 });
  });

  it('says so when nothing matches, and how to go on', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances?businessId=nobody');
    await page.getByRole('heading', { name: 'No instance matches' }).waitFor();
    await checkScreen(page, 'instances-empty');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await rows(page).first().waitFor();
  });

  it('keeps what it shows while the host is away, and says that it is old', async () => {
    const page = await console.open('viewer');
    await rows(page).first().waitFor();
    await page.route('**/projects/demo/bpmn/**', (route) => route.abort());
    await page.getByText('Could not be refreshed').waitFor();
    expect(await rows(page).count()).toBe(13);
  });

  it('is refreshed without moving what is selected', async () => {
    const page = await console.open('viewer');
    const link = page.getByRole('link', { name: workflowIDs[5]! });
    await link.focus();
    await console.host.call('editor', 'DELETE', `/instances/${workflowIDs[5]}`);
    await rows(page).filter({ hasText: workflowIDs[5] }).getByText('Canceled').waitFor();
    expect(await page.locator(':focus').textContent()).toBe(await link.textContent());
  });
});
