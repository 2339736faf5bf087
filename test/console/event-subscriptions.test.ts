import { describe, expect, it, vi } from 'vitest';
import type { Page } from 'playwright-core';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { insertDeadLetters } from './support/past-deliveries.js';

vi.setConfig({ testTimeout: 90_000 });

const address = '/console/projects/demo/event-subscriptions';

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Dead letters' }).locator('tbody tr');

const warehouse = {
  name: 'Warehouse of the shop in Rotterdam',
  url: 'https://warehouse.example.invalid/perdure/events',
  secret: 'EVENTS',
  types: ['perdure.instance.failed', 'perdure.instance.completed', 'perdure.incident.raised'],
};

describe.skipIf(reasonToSkip)('the event subscriptions of a project', () => {
  const console = useConsole();

  it('are created, refused with the reason, changed, disabled, and deleted', async () => {
    await console.host.changeSettings({ eventRetention: null });
    const page = await console.open('admin', address);
    await page.getByText('This project has no event feed.').waitFor();
    await checkScreen(page, 'event-subscriptions-empty');
    await console.host.changeSettings({ eventRetention: 'P7D' });
    await page.reload();
    await page.getByRole('heading', { name: 'No event subscriptions yet' }).waitFor();
    expect(await page.getByText('This project has no event feed.').count()).toBe(0);

    await page.getByRole('button', { name: 'Create a subscription' }).click();
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByLabel('Name', { exact: true }).fill('Alerts');
    await page.getByLabel('URL').fill('https://elsewhere.example.com/events');
    await page.getByLabel('Secret').fill('EVENTS');
    expect(await save.isDisabled()).toBe(true);
    await page.getByRole('group', { name: 'Incidents' }).getByLabel('Raised').check();
    await page.getByRole('group', { name: 'Instances' }).getByLabel('Failed').check();
    await save.click();
    await page
      .getByRole('alert')
      .getByText(/EGRESS_ALLOW/)
      .waitFor();
    await checkScreen(page, 'event-subscriptions-create');
    await page.getByLabel('URL').fill('https://alerts.example.invalid/events');
    await save.click();
    await page.getByRole('status').getByText('Alerts saved.').waitFor();

    await page.getByRole('link', { name: 'Alerts' }).click();
    await page.getByText('instance.failed', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Process ids').fill('order\n\norder\ninvoice');
    await save.click();
    await page.getByText('order, invoice', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete the subscription' }).click();
    await page.getByRole('heading', { name: 'No event subscriptions yet' }).waitFor();
  });

  it('show since when they fail, and send dead letters again, one or all', async () => {
    await console.host.changeSettings({ eventRetention: 'P7D' });
    const create = (settings: object) => console.host.callProject('admin', 'POST', '/events/subscriptions', settings);
    const { subscriptionID } = await create(warehouse);
    await create({ ...warehouse, name: 'Archive', enabled: false, types: ['perdure.instance.completed'] });
    const ids = Array.from({ length: 4 }, (_, index) => `demo/order/0f3c9a52-7d1e-4a55-9c39-6f2b8f1f0f1${index}`);
    await insertDeadLetters(console.host.databaseUrl, subscriptionID, ids);
    const page = await console.open('admin', address);
    const row = page.getByRole('row', { name: /Warehouse of the shop/ });
    await row.getByText('Failing', { exact: true }).waitFor();
    await checkScreen(page, 'event-subscriptions');

    await row.getByRole('link', { name: '4', exact: true }).click();
    await page.getByText('Deliveries are failing.').waitFor();
    await expect.poll(() => rowsOf(page).count()).toBe(4);
    await checkScreen(page, 'event-subscription');
    await page.getByRole('button', { name: 'Show event 900001' }).click();
    await page.getByRole('dialog').getByText('perdure.instance.failed').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Send again: event 900001' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(3);
    await page.getByRole('button', { name: 'Send all again' }).click();
    await page.getByRole('heading', { name: 'No dead letters' }).waitFor();
    expect(await page.getByRole('button', { name: 'Send all again' }).count()).toBe(0);
  });

  it('are not shown to an editor, whose integrations are hooks and secrets', async () => {
    const page = await console.open('editor', '/console/projects/demo/secrets');
    const links = page.getByRole('navigation', { name: 'Integrations' }).getByRole('link');
    await expect.poll(() => links.allTextContents()).toEqual(['Hooks', 'Secrets']);
    const entry = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Integrations' });
    await entry.click();
    await page.getByRole('heading', { name: 'Hooks', exact: true }).waitFor();
  });

  it('have their entry in sight in a narrow window, where the navigation is a row', async () => {
    const page = await console.open('admin', '/console/projects/demo/secrets');
    const entry = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Integrations' });
    await page.setViewportSize({ width: 420, height: 860 });
    await page.reload();
    await page.getByRole('heading', { name: 'Secrets', exact: true }).waitFor();
    await expect.poll(async () => (await entry.boundingBox())!.x).toBeLessThan(420 - 40);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe.skipIf(reasonToSkip)('the secrets of a project', () => {
  const console = useConsole();

  it('are listed by name with their hosts, never with a value', async () => {
    const page = await console.open('editor', '/console/projects/demo/secrets');
    const bank = page.getByRole('row', { name: /BANK/ });
    await bank.getByText('test.bank.example.invalid:8443').waitFor();
    await page
      .getByRole('row', { name: /GITHUB/ })
      .getByText('only for signatures')
      .waitFor();
    expect(await page.content()).not.toContain('the-password-at-the-bank');
    await checkScreen(page, 'secrets');
  });

  it('are those of one project only', async () => {
    const page = await console.open('admin', '/console/projects/other/secrets');
    await page.getByRole('heading', { name: 'No secrets' }).waitFor();
    await checkScreen(page, 'secrets-empty');
  });
});
