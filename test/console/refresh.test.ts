import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { useConsole } from './support/console.js';
import { exampleFile } from './support/host.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 90_000 });

const list = '/console/projects/demo/instances';

describe.skipIf(reasonToSkip)('a refreshed page', () => {
  const console = useConsole();
  const workflowIDs: string[] = [];

  beforeAll(async () => {
    await console.host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
    const definitionID = await console.host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
    for (let index = 0; index < 5; index += 1)
      workflowIDs.push(
        await console.host.start(definitionID, { orderID: `order-${index}`, total: 120, items: [] }, `order-${index}`),
      );
  });

  const isRefresh = (url: string) => /\/bpmn\/instances(\/[^/?]+)?(\?|$)/.test(url);
  const refreshed = (page: Page) => page.waitForResponse((response) => isRefresh(response.url()));

  /** Passes over the time between two refreshes, without any of it passing. */
  async function letRefresh(page: Page, times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      const answer = refreshed(page);
      await page.clock.fastForward(9_000);
      await (await answer).finished();
    }
  }

  async function openStill(address: string): Promise<Page> {
    return console.open('viewer', address, (page) => page.clock.install());
  }

  for (const [what, address, content] of [
    ['the list', () => list, 'tbody tr'],
    ['an instance', () => InstancePage.address(workflowIDs[1]!), '[data-mark="token"]'],
  ] as const) {
    it(`leaves every element of ${what} where it is, and keeps the selection`, async () => {
      const page = await openStill(address());
      await page.locator(content).first().waitFor();
      await page.locator('tbody tr').first().waitFor();
      await page.evaluate(`
        const row = document.querySelector('tbody td');
        getSelection().selectAllChildren(row);
        window.changes = [];
        new MutationObserver((records) => records.forEach(({ target, addedNodes, removedNodes }) => {
          if (!target.closest?.('time')) window.changes.push([target.nodeName, target.className, addedNodes.length, removedNodes.length].join(' '));
        })).observe(document.querySelector('main'), { childList: true, subtree: true });`);
      const selected = await page.evaluate<string>('getSelection().toString()');
      expect(selected).not.toBe('');
      await letRefresh(page, 3);
      expect(await page.evaluate<string[]>('window.changes'), 'elements that were added or removed').toEqual([]);
      expect(await page.evaluate<string>('getSelection().toString()')).toBe(selected);
    });

    it(`asks nothing about ${what} while the page is hidden, and continues when it is visible`, async () => {
      const page = await openStill(address());
      await page.locator(content).first().waitFor();
      await letRefresh(page, 1);
      let asked = 0;
      await show(page, false);
      page.on('request', (request) => (asked += isRefresh(request.url()) ? 1 : 0));
      for (let step = 0; step < 10; step += 1) await page.clock.fastForward(9_000);
      // A request that comes after every other that the page could have sent before.
      await page.evaluate('fetch("/console/configuration.json").then((response) => response.text())');
      expect(asked).toBe(0);
      const answer = refreshed(page);
      await show(page, true);
      expect((await answer).status()).toBe(200);
    });

    it(`comes to rest at its place: nothing of ${what} moves while it is loaded`, async () => {
      const watch = `
        window.shifts = [];
        new PerformanceObserver((entries) => entries.getEntries().forEach(({ value, sources }) => {
          window.shifts.push([value.toFixed(4), ...sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? String(node?.nodeName))].join(' '));
        })).observe({ type: 'layout-shift', buffered: true });`;
      const page = await console.open('viewer', address(), (opened) => opened.addInitScript(watch));
      await page.locator(content).first().waitFor();
      await page.locator('tbody tr').first().waitFor();
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      expect(await page.evaluate<string[]>('window.shifts')).toEqual([]);
    });
  }

  /** As a browser does when the tab is put in front or behind another. */
  async function show(page: Page, isVisible: boolean): Promise<void> {
    await page.evaluate(`
      for (const [name, value] of [['visibilityState', '${isVisible ? 'visible' : 'hidden'}'], ['hidden', ${!isVisible}]]) Object.defineProperty(document, name, { configurable: true, value });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));`);
  }
});
