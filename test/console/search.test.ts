import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { exampleFile } from './support/host.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('the search for instances', () => {
  const console = useConsole();

  beforeAll(async () => {
    const definitionID = await console.host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
    for (let index = 1; index <= 8; index += 1)
      await console.host.start(
        definitionID,
        { orderID: `order-${index}`, total: index * 100, items: [] },
        `order-${index}`,
      );
    await console.host.start(definitionID, { orderID: 'without-a-total' });
  });

  it('finds by a condition that is typed with completion, and says what was scanned', async () => {
    const page = await console.open('viewer', '/console/projects/demo/search');
    const editor = page.getByRole('textbox', { name: 'Condition (FEEL)' });
    // The newest instance has no total.
    await page.getByText('Variables:').getByText('total').waitFor();
    await editor.click();
    await page.keyboard.type('orde');
    await page.getByRole('option', { name: 'orderID' }).waitFor();
    await page.keyboard.press('Escape');
    await editor.fill('total > 500');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('table', { name: 'Matches' }).waitFor();
    await page.getByText('total: 800').waitFor();
    expect(await page.getByRole('table', { name: 'Matches' }).locator('tbody tr').count()).toBe(3);
    for (const words of ['3 matches', '9 scanned', '8 evaluated', 'All instances scanned'])
      await page.getByRole('status').filter({ hasText: words }).waitFor();
    await page.getByText('1 with errors').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('total > 500');
    await checkScreen(page, 'search');
  });

  it('narrows by what the address and the fields say', async () => {
    const page = await console.open(
      'viewer',
      `/console/projects/demo/search?q=${encodeURIComponent('total > 500')}&businessId=order-7`,
    );
    await page.getByText('total: 700').waitFor();
    expect(await page.getByRole('table', { name: 'Matches' }).locator('tbody tr').count()).toBe(1);
    await page.getByLabel('Incident').selectOption('true');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('heading', { name: 'No matches so far' }).waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      q: 'total > 500',
      businessId: 'order-7',
      incident: 'true',
    });
  });

  it('stops on request, and continues on request', async () => {
    const page = await console.open('viewer', '/console/projects/demo/search');
    await page.route('**/instances/search', () => undefined);
    await page.getByRole('textbox', { name: 'Condition (FEEL)' }).fill('total > 500');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('progressbar', { name: 'Scanning' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped before the first result').waitFor();
    await page.unroute('**/instances/search');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('All instances scanned').waitFor();
  });

  it('continues with the scan from where it stopped, and says when time had stopped it', async () => {
    const page = await console.open('viewer', '/console/projects/demo/search');
    // Three matches a time; the first answer as if the time had run out over it.
    let asked = 0;
    await page.route('**/instances/search', async (route) => {
      const response = await route.fetch({ postData: JSON.stringify({ ...route.request().postDataJSON(), limit: 3 }) });
      const body = await response.json();
      asked += 1;
      await route.fulfill({ response, json: { ...body, deadlineHit: asked === 1 } });
    });
    await page.getByRole('textbox', { name: 'Condition (FEEL)' }).fill('total > 100');
    await page.keyboard.press('Control+Enter');
    const matches = page.getByRole('table', { name: 'Matches' }).locator('tbody tr');
    await page.getByText('Stopped at the time limit').waitFor();
    expect(await matches.count()).toBe(3);
    await page.getByRole('button', { name: 'Continue the scan' }).click();
    await page.getByText('More instances to scan').waitFor();
    expect(await matches.count()).toBe(6);
    await page.getByRole('button', { name: 'Continue the scan' }).click();
    await page.getByText('All instances scanned').waitFor();
    expect(await matches.count()).toBe(7);
    await page.getByText('9 scanned').waitFor();
    expect(await page.getByRole('button', { name: 'Continue the scan' }).count()).toBe(0);
  });

  it('shows where a condition is wrong, and takes one from the address', async () => {
    const page = await console.open('viewer', `/console/projects/demo/search?q=${encodeURIComponent('(total > 5')}`);
    await page.getByText('Invalid condition.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Condition (FEEL)' }).textContent()).toContain('(total > 5');
    await page.locator('.cm-lintRange-error, .cm-lintPoint-error').first().waitFor({ state: 'attached' });
    await checkScreen(page, 'search-wrong');
  });

  it('says so when nothing is deployed yet', async () => {
    const page = await console.open('executor', '/console/projects/other/search');
    await page.getByRole('heading', { name: 'Nothing to search yet' }).waitFor();
  });
});
