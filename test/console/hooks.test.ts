import { describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';

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

  it('are not shown to an executor', async () => {
    const page = await console.open('executor', '/console/projects/demo/instances');
    await page.getByRole('link', { name: 'Incidents' }).waitFor();
    expect(await page.getByRole('link', { name: 'Hooks' }).count()).toBe(0);
  });
});
