import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { longFile } from './support/files.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 120_000 });

const tasks = 2_000;
const letters = 700_000;

describe.skipIf(reasonToSkip)(
  'an instance of a process with thousands of nodes and nearly a megabyte of variables',
  () => {
    const console = useConsole();
    let workflowID: string;

    beforeAll(async () => {
      const definitionID = await console.host.deploy('long.bpmn', longFile(tasks));
      const lines = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`line${index}`, { price: index }]));
      workflowID = await console.host.start(definitionID, { lines, letter: 'x'.repeat(letters) });
      await vi.waitFor(
        async () =>
          expect(
            (await console.host.call('viewer', 'GET', `/instances/${workflowID}`)).activeScopes[0].activeNodes,
          ).toEqual({ Check: 1 }),
        { timeout: 60_000, interval: 500 },
      );
    });

    const open = async (query = '') =>
      new InstancePage(await console.open('viewer', InstancePage.address(workflowID, query)));

    it('draws the diagram on request, and says what that takes', async () => {
      const page = await open();
      await page.page.getByRole('heading', { name: 'A diagram of 2,002 shapes' }).waitFor();
      await page.page.getByRole('group', { name: 'Active nodes' }).getByRole('button', { name: 'Check' }).waitFor();
      await checkScreen(page.page, 'instance-large');
      await page.page.getByRole('button', { name: 'Draw diagram' }).click();
      await page.mark('Check', 'token').waitFor({ timeout: 90_000 });
    });

    it('leads from the first of thousands of activations to the last', async () => {
      const page = await open();
      await page.row('Task_0').first().waitFor();
      await page.page.getByRole('button', { name: 'Last page' }).click();
      await page.row('Check').waitFor();
      expect(new URL(page.page.url()).searchParams.get('page')).toBe(String(Math.ceil((tasks + 2) / 50)));
    });

    it('shows variables in portions, and long values on request', async () => {
      const page = await open('?tab=variables');
      const panel = page.page.getByRole('tabpanel');
      await panel.getByRole('button', { name: 'lines' }).click();
      await panel.getByText('line99', { exact: true }).waitFor();
      expect(await panel.locator('li').count()).toBeLessThan(200);
      await panel.getByRole('button', { name: '4900 more' }).click();
      await panel.getByText('line199', { exact: true }).waitFor();
      await panel.getByRole('button', { name: 'all 700,002 characters' }).waitFor();
      expect((await panel.textContent())!.length).toBeLessThan(20_000);
    });
  },
);
