import { describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { exampleFile } from './support/host.js';

vi.setConfig({ testTimeout: 120_000 });

const example = exampleFile('collect-payment.bpmn');
const changed = example
  .replace('name="Charge card"', 'name="Charge the credit card of the customer"')
  .replace('<bpmn:endEvent id="Paid"', '<bpmn:task id="Thank" name="Thank" />\n    <bpmn:endEvent id="Paid"');

describe.skipIf(reasonToSkip)('the screen that compares revisions of a file', () => {
  const console = useConsole();

  it('shows what a draft adds and changes, on both diagrams and in a list', async () => {
    await console.host.deploy('collect-payment.bpmn', example);
    const draft = await console.host.call('editor', 'POST', '/resources', { name: 'draft.bpmn', xml: changed });
    const page = await console.open('editor', `/console/projects/demo/deploy?resource=${draft.id}`);
    await page.getByRole('link', { name: 'Show changes' }).click();
    await page.getByRole('heading', { name: 'Changes of draft.bpmn' }).waitFor();
    const changes = page.getByRole('table', { name: 'Changes' });
    await changes.locator('tbody tr', { hasText: 'Thank' }).getByText('Added').waitFor();
    await changes
      .locator('tbody tr', { hasText: 'Charge the credit card of the customer' })
      .getByText('Changed')
      .waitFor();
    for (const side of ['before', 'after'])
      await page.getByRole('group', { name: side, exact: true }).getByText('Changed').waitFor();
    // The mark of the task leaves the event at its edge visible.
    const event = page.locator('[data-element-id="CardDeclined"]').first();
    const [mark, sign] = [await page.locator('[data-mark="label"]').first().boundingBox(), await event.boundingBox()];
    expect(mark!.y + mark!.height).toBeLessThan(sign!.y);
    await checkScreen(page, 'compare');
    await page.setViewportSize({ width: 420, height: 900 });
    // Both diagrams fit the narrow window.
    const paid = page.locator('[data-element-id="Paid"]').first();
    await expect.poll(async () => ((await paid.boundingBox())?.x ?? 0) + 40).toBeLessThan(420);
    await checkScreen(page, 'compare-narrow');
    await page.setViewportSize({ width: 1440, height: 900 });

    const requested: string[] = [];
    page.on('request', (request) => void requested.push(request.url()));
    await page.waitForTimeout(1_500);
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await page.evaluate("fetch('/console/')");
    expect(requested.filter((url) => url.includes(draft.id))).toEqual([]);
  });

  it('says so where the file has no other revision', async () => {
    const xml = example.replaceAll('collect-payment', 'alone').replace(/id="Definitions[^"]*"/, 'id="alone-file"');
    const { id } = await console.host.call('editor', 'POST', '/resources', { name: 'alone.bpmn', xml });
    const page = await console.open('viewer', `/console/projects/demo/compare/${id}`);
    await page.getByText('No other revision').waitFor();
  });
});
