import { describe, expect, it, vi } from 'vitest';
import { startDevelopmentProvider } from '../access/support/provider.js';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const address = '/console/projects/demo/members';

describe.skipIf(reasonToSkip)('the members of a project', () => {
  const console = useConsole(startDevelopmentProvider);

  it('get a role, change it and lose it, and the last admin stays', async () => {
    const page = await console.open('admin', address);
    const row = (subject: string) =>
      page
        .getByRole('table', { name: 'Members' })
        .getByRole('row')
        .filter({ has: page.getByRole('button', { name: `Remove ${subject}`, exact: true }) });
    await row('admin').getByText('(you)').waitFor();
    await checkScreen(page, 'members');

    await page.getByRole('button', { name: 'Add a member' }).click();
    await page.getByLabel('Subject', { exact: true }).fill('unknown-person');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').getByText('The identity provider has no subject unknown-person.').waitFor();
    await page.getByLabel('Subject', { exact: true }).fill('outsider');
    await page.getByLabel('Role', { exact: true }).selectOption('executor');
    await checkScreen(page, 'members-add');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('status').getByText('outsider is now executor.').waitFor();
    await row('outsider').getByText('executor').waitFor();

    await page.getByRole('button', { name: 'Change role of outsider' }).click();
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await page.getByRole('button', { name: 'Change the role', exact: true }).click();
    await row('outsider').getByText('viewer').waitFor();

    await page.getByRole('button', { name: 'Remove outsider' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await row('outsider').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Remove service-account-admin' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await row('service-account-admin').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove admin', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('alert').getByText('This member is the last admin of the project.').waitFor();
  });

  it('are nothing that an editor sees', async () => {
    const page = await console.open('editor', '/console/projects/demo/instances');
    await page.getByRole('link', { name: 'Incidents' }).waitFor();
    expect(await page.getByRole('link', { name: 'Members' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
  });
});

describe.skipIf(reasonToSkip)('the members of a project whose provider the host may not administer', () => {
  const console = useConsole();

  it('are said to be managed there, and where that is', async () => {
    const page = await console.open('admin', address);
    await page.getByRole('heading', { name: 'Members are managed at the identity provider' }).waitFor();
    await page.getByText(/http:\/\/.*: changes apply from the next sign-in/).waitFor();
    expect(await page.getByRole('button', { name: 'Add a member' }).count()).toBe(0);
    await checkScreen(page, 'members-managed');
  });
});
