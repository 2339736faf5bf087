import { describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { insertFailedDeliveries } from './support/past-deliveries.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('the hooks of a project', () => {
  const console = useConsole();

  it('are created, refused with the place of a mistake, edited, and deleted', async () => {
    const page = await console.open('editor', '/console/projects/demo/hooks');
    await page.getByRole('heading', { name: 'No hooks yet' }).waitFor();
    await page.getByRole('button', { name: 'Create a hook' }).click();
    const save = page.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel('Name', { exact: true }).fill('GitHub');
    await page.getByLabel('Secret').fill('GITHUB');
    await page.getByLabel('Header').fill('X-Hub-Signature-256');
    await page.getByLabel('Prefix').fill('sha256=');
    await page.getByLabel('Message name').fill('"Issue " + action');
    await save.click();
    await page.getByRole('alert').getByText('There is no variable action').waitFor();
    await page.getByLabel('Message name').fill('"Issue " + body.action');
    await checkScreen(page, 'hooks-create');
    await save.click();
    await page.getByRole('status').getByText('GitHub saved.').waitFor();
    await checkScreen(page, 'hooks');

    await page.getByRole('link', { name: 'GitHub' }).click();
    await page.getByRole('heading', { name: 'No deliveries' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByLabel('Prefix').inputValue()).toBe('sha256=');
    await page.getByLabel('Signature').selectOption('STRIPE');
    await page.getByLabel('Deliveries', { exact: true }).selectOption('refused');
    await save.click();
    await page.getByText('STRIPE', { exact: true }).waitFor();
    await page.getByText('Refused', { exact: true }).waitFor();
    await checkScreen(page, 'hook');

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete the hook' }).click();
    await page.getByRole('heading', { name: 'No hooks yet' }).waitFor();
  });

  it('send a failed delivery again, where its body was kept and the hook is enabled', async () => {
    const hook = {
      name: 'Payments of the shop',
      auth: { type: 'HEADER', secret: 'GITHUB', header: 'X-Token' },
      messageName: 'body.missing',
    };
    const { hookID } = await console.host.callProject('editor', 'POST', '/hooks', hook);
    const problem = 'messageName: there is no member missing';
    await insertFailedDeliveries(console.host.databaseUrl, hookID, [
      { problem: 'The body has 71,204 bytes, and the expression failed' },
      { problem, body: '{"order": 4711, "amount": 12.5}' },
      { problem, body: '{"order": 4712}' },
    ]);
    const page = await console.open('editor', `/console/projects/demo/hooks/${hookID}`);
    await page.getByText('Body not kept').waitFor();
    const again = page.getByRole('button', { name: 'Send again' });
    await checkScreen(page, 'hook-deliveries');
    await again.first().click();
    await page.getByText(/^The delivery failed again: /).waitFor();
    expect(await again.count()).toBe(2);

    await console.host.callProject('editor', 'PUT', `/hooks/${hookID}`, { ...hook, messageName: '"Order paid"' });
    await again.first().click();
    await page.getByText('Sent again: published.').waitFor();
    await expect.poll(() => again.count()).toBe(1);

    await console.host.callProject('editor', 'PUT', `/hooks/${hookID}`, { ...hook, enabled: false });
    await page.reload();
    await page.getByText('Hook is disabled').waitFor();
    expect(await again.count()).toBe(0);
  });

  it('are not shown to an executor', async () => {
    const page = await console.open('executor', '/console/projects/demo/instances');
    await page.getByRole('link', { name: 'Incidents' }).waitFor();
    expect(await page.getByRole('link', { name: 'Integrations' }).count()).toBe(0);
  });
});
