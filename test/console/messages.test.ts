import { describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { fileWithMessage } from './support/files.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('the screen for messages and signals', () => {
  const console = useConsole();

  it('lets an executor publish a message to the instance that waits for it', async () => {
    const workflowID = await console.host.start(await console.host.deploy('with-message.bpmn', fileWithMessage), {
      orderID: 'order-1',
    });
    const page = await console.open('executor', '/console/projects/demo/messages');
    const form = page.getByRole('region', { name: 'Publish a message' });
    await form.getByLabel('Message name').fill('paid');
    await form.getByLabel('Correlation').fill('order-1');
    await form.getByText('Sent as the text "order-1".').waitFor();
    await form.getByLabel('Variables').fill('{ "amount": 17 }');
    await checkScreen(page, 'messages');
    await form.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Message paid published.').waitFor();
    await vi.waitFor(
      async () =>
        expect(await console.host.call('viewer', 'GET', `/instances/${workflowID}`)).toMatchObject({
          status: 'COMPLETED',
          variables: { amount: 17 },
        }),
      { timeout: 20_000 },
    );
  });

  it('shows why the host refuses one', async () => {
    const page = await console.open('executor', '/console/projects/demo/messages');
    const form = page.getByRole('region', { name: 'Publish a signal' });
    await form.getByLabel('Signal name').fill('stop');
    await form.getByLabel('Time to live').fill('soon');
    await form.getByRole('button', { name: 'Publish' }).click();
    await form.getByRole('alert').getByText('ttl').waitFor();
    expect(await form.getByLabel('Signal name').inputValue()).toBe('stop');
  });

  it('tells whom a kept message misses, and deletes it', async () => {
    const workflowID = await console.host.start(await console.host.deploy('with-message.bpmn', fileWithMessage), {
      orderID: '5',
    });
    await console.host.call('executor', 'POST', '/messages', { messageName: 'paid', correlationKeys: 5 });
    const page = await console.open('editor', '/console/projects/demo/messages?name=paid&state=KEPT');
    await page.getByRole('button', { name: 'Details of paid' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('the key is the number 5, the subscription has the text "5"').waitFor();
    await checkScreen(page, 'message');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted. No instance receives it.').waitFor();
    await page.getByLabel('State').selectOption('DELETED');
    await page.getByRole('row', { name: /paid/ }).getByText('Deleted').waitFor();
    await page.getByRole('tab', { name: 'Open subscriptions' }).click();
    await page.getByRole('row', { name: /paid/ }).getByRole('link').click();
    await page
      .getByRole('region', { name: /waits for/ })
      .getByText('with the key "5"')
      .waitFor();
    expect(page.url()).toContain(workflowID);
    await checkScreen(page, 'waits');
  });

  it('shows a viewer what is published, but no form', async () => {
    const page = await console.open('viewer', '/console/projects/demo/messages');
    await page.getByRole('tab', { name: 'Open subscriptions' }).waitFor();
    expect(await page.getByRole('region', { name: 'Publish a message' }).count()).toBe(0);
  });
});
