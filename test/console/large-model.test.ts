import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { largeModel } from '../../bench/scenarios/large-model.js';
import { reasonToSkip } from './support/browser.js';
import { useConsole } from './support/console.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 240_000 });

/** More than are drawn without asking. `npm run large-model` draws 10,000, whose painting takes most of a minute. */
const nodes = Number(process.env['LARGE_MODEL_NODES'] ?? '3000');
const last = nodes - 3;
const file = largeModel(nodes);
const letters = 1_000_000;

describe.skipIf(reasonToSkip)('an instance of thousands of nodes with a megabyte of variables', () => {
  const console = useConsole();
  let workflowID: string;

  beforeAll(async () => {
    workflowID = await console.host.start(await console.host.deploy('large.bpmn', largeModel(3)), {
      letter: 'x'.repeat(letters),
      lines: [1, 2, 3],
    });
    await vi.waitFor(
      async () =>
        expect(
          (await console.host.call('viewer', 'GET', `/instances/${workflowID}`)).activeScopes[0].activeNodes,
        ).toEqual({ Check: 1 }),
      { timeout: 60_000, interval: 500 },
    );
  });

  /** The instance runs the beginning of the file; the page is given all of it. */
  async function open(query = ''): Promise<InstancePage> {
    const page = await console.open('admin', InstancePage.address(workflowID, query), async (opened) => {
      opened.setDefaultTimeout(120_000);
      await opened.route('**/definitions/*/xml', (route) =>
        route.fulfill({ contentType: 'application/xml', body: file }),
      );
    });
    return new InstancePage(page);
  }

  const drawn = (page: Page) => page.locator('.djs-shape .djs-visual > *').count();

  it('responds to input while the diagram is drawn, draws it once, and then moves only marks', async () => {
    const instance = await open();
    const { page } = instance;
    // Clicks as soon as the drawing is under way; the selection after each later task shows when the click was handled.
    await page.evaluate(`
      window.chosen = [];
      const tabs = () => [...document.querySelectorAll('[role=tab]')];
      new MutationObserver(() => {
        if (!document.querySelector('progress[aria-label="Drawing the diagram"]')) return;
        if (window.chosen.length === 0) tabs().find(({ textContent }) => textContent.startsWith('Variables')).click();
        window.chosen.push(tabs().find((tab) => tab.ariaSelected === 'true').textContent.match(/^\\D+/)[0]);
      }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['value'] });`);
    await page.getByRole('button', { name: 'Draw diagram' }).click();
    await instance.mark('Check', 'token').waitFor();
    expect(await page.evaluate<string[]>('[...new Set(window.chosen)]')).toEqual(['History', 'Variables']);
    expect(await drawn(page)).toBeGreaterThanOrEqual(nodes);
    await page.evaluate(`
      window.changes = 0;
      new MutationObserver((records) => { window.changes += records.length; }).observe(document.querySelector('.djs-container svg'), { childList: true, subtree: true });`);
    for (let refresh = 0; refresh < 2; refresh += 1)
      await page.waitForResponse((response) => response.url().endsWith(`/instances/${workflowID}`));
    await instance.node('Check').click();
    await page.waitForURL((url) => url.searchParams.get('node') === 'Check');
    expect(await page.evaluate<number>('window.changes')).toBe(0);
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('Before the first step').waitFor();
    expect(await page.evaluate<number>('window.changes')).toBe(0);
  });

  it('lets an admin choose among all nodes, and draws none of the choices again while they write why', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Modify' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Node').selectOption(`T${last}`);
    await dialog.getByRole('button', { name: 'Start before node' }).click();
    await dialog.getByRole('list', { name: 'Instructions' }).getByText(`Start before Step ${last}`).waitFor();
    expect(await dialog.getByLabel('Node').locator('option').count()).toBeGreaterThanOrEqual(nodes);
    await page.evaluate(`
      window.changes = 0;
      new MutationObserver((records) => { window.changes += records.length; }).observe(document.querySelector('dialog select'), { childList: true, subtree: true, characterData: true, attributes: true });`);
    await dialog.getByLabel('Reason').fill('moved on by hand');
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('moved on by hand');
    expect(await page.evaluate<number>('window.changes')).toBe(0);
  });

  it('shows a megabyte of variables in portions, now and at each step, and sets one of them', async () => {
    const { page } = await open('?tab=variables');
    const panel = page.getByRole('tabpanel');
    const whole = panel.getByRole('button', { name: `all ${(letters + 2).toLocaleString('en')} characters` });
    await whole.waitFor();
    expect((await panel.textContent())!.length).toBeLessThan(2_000);
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('Before the first step').waitFor();
    await page.getByRole('slider', { name: 'Step' }).press('End');
    await panel.getByText('Of the process, at this step').waitFor();
    await whole.waitFor();
    expect((await panel.textContent())!.length).toBeLessThan(2_000);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByRole('button', { name: 'Set variables' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Variables to set').fill(JSON.stringify({ letter: 'y'.repeat(letters / 2) }));
    await dialog.getByRole('button', { name: 'Set variables' }).click();
    await panel.getByRole('button', { name: `all ${(letters / 2 + 2).toLocaleString('en')} characters` }).waitFor();
  });
});
