import { describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { exampleFile } from './support/host.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('the settings of a project', () => {
  const console = useConsole();

  it('are changed, refused with the reason, and given back to the host', async () => {
    const page = await console.open('admin', '/console/projects/other/settings');
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByLabel('Name').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel('Description').fill('Orders of the shop');
    await page.getByLabel('Time to live of messages').fill('2 fortnights');
    await save.click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Time to live of messages').fill('90m');
    await save.click();
    await page.getByRole('status').getByText('Settings saved.').waitFor();
    await expect.poll(() => page.getByLabel('Time to live of messages').inputValue()).toBe('PT1H30M');
    await checkScreen(page, 'settings');

    await page.getByLabel('Time to live of messages').fill('');
    await page.getByLabel('Name').fill('Shop');
    await save.click();
    await expect.poll(() => save.isDisabled()).toBe(true);
    await page.reload();
    await page.getByLabel('Name').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Shop');
    expect(await page.getByLabel('Description').inputValue()).toBe('Orders of the shop');
    expect(await page.getByLabel('Time to live of messages').inputValue()).toBe('');
  });

  it('have prices of models, one per line, checked while they are typed', async () => {
    const page = await console.open('admin', '/console/projects/other/settings');
    const prices = page.getByLabel('Prices', { exact: true });
    const save = page.getByRole('button', { name: 'Set prices' });
    await prices.fill('small 0.25 EUR');
    await page.getByText('not: small 0.25 EUR').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await prices.fill('small 0.25 1.25 EUR\nsmall 1 2 EUR');
    await save.click();
    await page.getByRole('alert').getByText('must have at most one price for each model').waitFor();
    await prices.fill('small 0.25 1.250 EUR\n\nlarge 3 15 USD');
    await save.click();
    await page.getByRole('status').getByText('Prices saved.').waitFor();
    await expect.poll(() => prices.inputValue()).toBe('small 0.25 1.25 EUR\nlarge 3 15 USD');
    await prices.fill('');
    await save.click();
    await expect.poll(() => save.isDisabled()).toBe(true);
    expect(await prices.inputValue()).toBe('');
  });

  it('end with the project, once its name is typed and nothing runs in it', async () => {
    const workflowID = await console.host.start(
      await console.host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn')),
      { items: [] },
    );
    const page = await console.open('admin', '/console/projects/demo/settings');
    await page.getByRole('button', { name: 'Delete the project' }).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete the project' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel(/^Type .* to confirm$/).fill('demo');
    await checkScreen(page, 'settings-delete');
    await confirm.click();
    await page.getByRole('dialog').getByRole('alert').waitFor();

    await console.host.call('editor', 'DELETE', `/instances/${encodeURIComponent(workflowID)}`);
    await expect
      .poll(
        async () => (await console.host.call('viewer', 'GET', `/instances/${encodeURIComponent(workflowID)}`)).status,
        { timeout: 20_000 },
      )
      .toBe('CANCELED');
    await confirm.click();
    await page.getByRole('status').getByText('demo deleted.').waitFor();
    await expect(console.host.call('viewer', 'GET', `/instances/${encodeURIComponent(workflowID)}`)).rejects.toThrow(
      '404',
    );
  });
});
