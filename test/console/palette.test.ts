import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { exampleFile } from './support/host.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('the command palette', () => {
  const console = useConsole();
  const workflowIDs: string[] = [];

  beforeAll(async () => {
    await console.host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
    const definitionID = await console.host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
    for (const businessId of ['order-17', 'order-18', 'invoice-4'])
      workflowIDs.push(await console.host.start(definitionID, { orderID: businessId, total: 120 }, businessId));
  });

  const palette = (page: Page) => page.getByRole('dialog', { name: 'Go to', exact: true });
  const field = (page: Page) => page.getByRole('combobox', { name: 'Go to', exact: true });
  const option = (page: Page, name: RegExp) => palette(page).getByRole('option', { name });
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

  async function openPalette(page: Page): Promise<void> {
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
  }

  it('opens by keyboard, finds an instance by its business id, and goes there', async () => {
    const page = await console.open('viewer', '/console/projects/demo/dashboard');
    await page.getByRole('button', { name: 'Go to', exact: true }).waitFor();
    await openPalette(page);
    await option(page, /^Instances$/).waitFor();
    await checkScreen(page, 'palette');
    await page.keyboard.type('order-1');
    await option(page, /^order-17/).waitFor();
    expect(await option(page, /^(order|invoice)-/).count()).toBe(2);
    expect(await palette(page).getByRole('status').textContent()).toBe('2 results');
    await checkScreen(page, 'palette-found');
    await page.keyboard.type('7');
    await option(page, /^order-18/).waitFor({ state: 'detached' });
    await option(page, /^order-17/).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/instances/${workflowIDs[0]}$`));
    await heading(page, /^Order /);
    expect(await palette(page).count()).toBe(0);
  });

  it('leads back to the last instances first, and to the actions of the one that is open', async () => {
    const page = await console.open('admin', `/console/projects/demo/instances/${workflowIDs[2]}`);
    await heading(page, /^Order /);
    await page.getByRole('button', { name: 'Set variables' }).waitFor();
    await openPalette(page);
    const recent = palette(page).getByRole('group', { name: 'Recent' });
    expect(await recent.getByRole('option').allTextContents()).toEqual([expect.stringContaining('invoice-4')]);
    expect(await palette(page).getByRole('group').first().getByRole('option').count()).toBe(1);
    await page.keyboard.type('set vari');
    await option(page, /^Set variables/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Set variables' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('finds an instance by its id, a process by its name, and a screen', async () => {
    const page = await console.open('executor', '/console/projects/demo/dashboard');
    await page.getByRole('button', { name: 'Go to', exact: true }).click();
    await field(page).fill(workflowIDs[1]!);
    await option(page, /^order-18/).waitFor();
    await field(page).fill(`the instance ${workflowIDs[2]!.toUpperCase()} failed`);
    await option(page, /^invoice-4/).waitFor();
    await field(page).fill(workflowIDs[1]!.slice(0, 8));
    await option(page, /^order-18/).waitFor();
    expect(await option(page, /^(order|invoice)-/).count()).toBe(1);
    await field(page).fill('fulfilment');
    await option(page, /^Start Order fulfilment/).waitFor();
    await option(page, /^Order fulfilment/).click();
    await page.waitForURL(/\/processes\/[^/]+$/);
    await openPalette(page);
    await page.keyboard.type('incid');
    await page.keyboard.press('Enter');
    await heading(page, 'Incidents');
    await openPalette(page);
    await field(page).fill('members');
    await palette(page).getByText('Nothing found').waitFor();
  });

  it('asks once for a text that is typed, and no longer for the text before it', async () => {
    const page = await console.open('viewer', '/console/projects/demo/dashboard');
    await page.getByRole('button', { name: 'Go to', exact: true }).waitFor();
    const asked: string[] = [];
    await page.route('**/bpmn/instances?*', async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get('businessIdPrefix') ?? '');
      if (asked.length === 1) await new Promise((resolve) => setTimeout(resolve, 2_000));
      await route.continue().catch(() => undefined);
    });
    const canceled = page.waitForEvent('requestfailed', (request) => request.url().includes('businessIdPrefix=ord'));
    await openPalette(page);
    await page.keyboard.type('ord');
    await vi.waitFor(() => expect(asked).toEqual(['ord']), { timeout: 5_000 });
    await page.keyboard.type('er-18');
    await option(page, /^order-18/).waitFor();
    expect(asked).toEqual(['ord', 'order-18']);
    expect((await canceled).failure()?.errorText).toContain('ABORTED');
  });

  it('fits a narrow window, and gives the focus back', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances');
    await page.setViewportSize({ width: 390, height: 800 });
    const opener = page.getByRole('button', { name: 'Go to', exact: true });
    await opener.click();
    await field(page).fill('order');
    await option(page, /^order-17/).waitFor();
    await checkScreen(page, 'palette-narrow');
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'detached' });
    expect(await page.locator(':focus').getAttribute('aria-keyshortcuts')).toBe('Control+K');
  });

  it('forgets the recent places when the session ends', async () => {
    const page = await console.open('viewer', `/console/projects/demo/instances/${workflowIDs[0]}`);
    await heading(page, /^Order /);
    const kept = () =>
      page.evaluate<string>('Object.keys(localStorage).filter((key) => key.includes("recent")).join()');
    await vi.waitFor(async () => expect(await kept()).toContain('perdure.recent.demo'));
    await openPalette(page);
    await page.keyboard.type('sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/session\/end/);
    await page.locator('button, input[type=submit]').first().click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect(await kept()).toBe('');
  });
});
