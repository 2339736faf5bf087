import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { useConsole } from './support/console.js';
import { exampleFile } from './support/host.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('an instance without a mouse', () => {
  const console = useConsole();
  let workflowID: string;

  beforeAll(async () => {
    await console.host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
    const definitionID = await console.host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
    workflowID = await console.host.start(definitionID, { orderID: 'order-1', total: 120, items: [] }, 'order-1');
  });

  /** The focused element as a screen reader announces it: its role or kind, and its name. */
  const focused = (page: Page) =>
    page.evaluate<string>(`(() => {
      const { tagName, textContent, labels } = document.activeElement;
      return [document.activeElement.getAttribute('role') ?? tagName.toLowerCase(), document.activeElement.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? textContent.trim()].join(' ');
    })()`);

  /** Presses a key until something has the focus; names all that had it when it never comes. */
  async function goTo(page: Page, wanted: string, key = 'Tab'): Promise<void> {
    const passed: string[] = [];
    while (passed.length < 80) {
      const found = await focused(page);
      if (found === wanted) return;
      passed.push(found);
      await page.keyboard.press(key);
    }
    throw new Error(`Expected to get to "${wanted}" with ${key}, found: ${passed.join(', ')}`);
  }

  it('can be read: its nodes, its tabs, and its history', async () => {
    const page = await console.open('admin', InstancePage.address(workflowID));
    await page.getByRole('button', { name: 'Show the whole diagram' }).waitFor();
    await goTo(page, 'a Skip to content');
    await page.keyboard.press('Enter');
    await goTo(page, 'button Zoom in');
    await page.keyboard.press('Enter');
    await goTo(page, 'button Reserve stock');
    await page.keyboard.press('Space');
    await page.getByText('Only those at Reserve stock').waitFor();
    await goTo(page, 'button Replay');
    await page.keyboard.press('Enter');
    await page.getByText('Before the first step').waitFor();
    await goTo(page, 'input Step');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL((url) => url.searchParams.get('at') === '1');
    await goTo(page, 'button Back to now');
    await page.keyboard.press('Enter');
    await goTo(page, 'tab History');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Variables', selected: true }).waitFor();
  });

  it('can be changed: a dialog takes the focus, keeps it, and gives it back', async () => {
    const page = await console.open('admin', InstancePage.address(workflowID, '?tab=variables'));
    await page.getByRole('button', { name: 'Show the whole diagram' }).waitFor();
    await goTo(page, 'button Set variables');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Set variables' }).waitFor();
    for (let presses = 0; presses < 8; presses += 1) {
      await page.keyboard.press('Tab');
      // Between the last and the first the browser's own controls have their turn.
      expect(
        await page.evaluate<boolean>(
          'document.activeElement === document.body || document.activeElement.closest("dialog") !== null',
        ),
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('button Set variables');

    await page.keyboard.press('Enter');
    await goTo(page, 'textarea Variables to set');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{ "note": "by keyboard" }');
    await goTo(page, 'button Set variables');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Variables set.').waitFor();
    await page.getByText('"by keyboard"').waitFor();
    expect(await focused(page)).toBe('button Set variables');
  });

  it('can be modified: nodes are chosen from a list as well as on the diagram', async () => {
    const page = await console.open('admin', InstancePage.address(workflowID));
    await page.getByRole('button', { name: 'Show the whole diagram' }).waitFor();
    await goTo(page, 'button Modify');
    await page.keyboard.press('Enter');
    await goTo(page, 'select Node');
    await page.keyboard.type('Reserve');
    await goTo(page, 'button Cancel a token at node');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Instructions' }).getByText('Cancel a token at Reserve stock').waitFor();
    await goTo(page, 'button Remove: Cancel a token at Reserve stock');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Instructions' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('button Modify');
  });
});
