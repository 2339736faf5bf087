import { beforeAll, describe, expect, it, vi } from 'vitest';
import { tokenFor } from '../support/infrastructure.js';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { fileWithDecisions } from './support/files.js';

vi.setConfig({ testTimeout: 90_000 });

const address = '/console/projects/demo/decisions';

describe.skipIf(reasonToSkip)('decisions', () => {
  const console = useConsole();

  async function upload(name: string, xml: string): Promise<void> {
    const response = await fetch(`${console.host.url}/projects/demo/dmn/definitions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokenFor('editor')}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, xml }),
    });
    if (!response.ok) throw new Error(`The file was answered ${response.status}: ${await response.text()}`);
  }

  beforeAll(() => upload('Discounts', fileWithDecisions));

  it('are found by name, tried with a context that shows the rules it hits, and recorded', async () => {
    const page = await console.open('executor', address);
    const list = page.getByRole('table', { name: 'Decisions' });
    await list.getByRole('link', { name: 'discount' }).waitFor();
    await page.getByLabel('Name').pressSequentially('price');
    await list.getByRole('link', { name: 'discount' }).waitFor({ state: 'detached' });
    await list.getByText('amount: number').waitFor();
    await checkScreen(page, 'decisions');
    await list.getByRole('link', { name: 'price' }).click();

    await page.getByLabel('Context').fill('{ "amount": 200 }');
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await page.getByRole('group', { name: 'Result of price' }).getByText('180').waitFor();
    const rules = page.getByRole('table', { name: 'discount' }).locator('tbody tr');
    expect(await rules.filter({ hasText: 'Hit' }).allTextContents()).toEqual([expect.stringContaining('>= 100')]);
    await checkScreen(page, 'decision-file');

    await page.getByLabel('Context').fill('{ "amount": "a lot" }');
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await expect.poll(() => rules.filter({ hasText: 'Hit' }).count()).toBe(0);

    await page.getByRole('tab', { name: 'Recorded evaluations' }).click();
    await page.getByRole('table', { name: 'Evaluations' }).getByRole('button', { name: 'Show' }).last().click();
    await page.getByRole('dialog').getByText('200', { exact: true }).waitFor();
    await checkScreen(page, 'decision-evaluations');
  });

  it('show an empty list that they result in', async () => {
    const gifts = fileWithDecisions
      .replace('amount * (1 - discount)', '[]')
      .replace('<variable name="price" typeRef="number" />', '<variable name="price" />');
    const xml = gifts.replaceAll('discount', 'rebate').replaceAll('price', 'gifts');
    await upload('Gifts', xml);
    const page = await console.open('executor', `${address}/rebates`);
    await page.getByLabel('Context').fill('{ "amount": 200 }');
    await page.getByRole('button', { name: 'Evaluate' }).click();
    const result = page.getByRole('group', { name: 'Result of gifts' });
    await expect.poll(() => result.allInnerTexts()).toEqual(['[]']);
  });

  it('are read, and not tried, by viewers', async () => {
    const page = await console.open('viewer', `${address}/discounts`);
    await page.getByText('amount * (1 - discount)', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Evaluate' }).count()).toBe(0);
  });

  it('say what is missing if the list is empty', async () => {
    const page = await console.open('executor', '/console/projects/other/decisions');
    await page.getByRole('heading', { name: 'No decision yet' }).waitFor();
  });
});
