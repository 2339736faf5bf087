import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { shape, withDiagram } from './support/files.js';
import { endEvent, exclusiveGateway, processModel, scriptTask, startEvent } from '@perdure/testkit/models';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** Amounts above the limit are checked. */
const model = (limit: number) =>
  withDiagram(process(limit), 'checks', [
    shape('start', 0, 0),
    shape('large', 200, 0),
    shape('check', 400, 120),
    shape('end', 600, 0),
    edge('a', [100, 40], [200, 40]),
    edge('yes', [250, 80], [250, 160], [400, 160]),
    edge('no', [300, 40], [600, 40]),
    edge('b', [500, 160], [650, 160], [650, 80]),
  ]);

const process = (limit: number) =>
  processModel(
    'checks',
    [
      startEvent('start'),
      exclusiveGateway('large', { default: 'no' }),
      scriptTask('check', '=true', 'checked'),
      endEvent('end'),
    ],
    ['a: start -> large', `yes: large -> check =amount > ${limit}`, 'no: large -> end', 'b: check -> end'],
  );

function edge(id: string, ...points: readonly [number, number][]): string {
  const waypoints = points.map(
    ([x, y]) => `<di:waypoint xmlns:di="http://www.omg.org/spec/DD/20100524/DI" x="${x}" y="${y}"/>`,
  );
  return `<bpmndi:BPMNEdge id="Edge_${id}" bpmnElement="${id}">${waypoints.join('')}</bpmndi:BPMNEdge>`;
}

describe.skipIf(reasonToSkip)('the screens for backtests', () => {
  const console = useConsole();

  beforeAll(async () => {
    const definitionID = await console.host.deploy('checks.bpmn', model(100));
    for (const amount of [50, 150, 250]) {
      const workflowID = await console.host.start(definitionID, { amount });
      const hasEnded = async () => {
        const { status } = await console.host.call('viewer', 'GET', `/instances/${workflowID}`);
        expect(status).toBe('COMPLETED');
      };
      await vi.waitFor(hasEnded, { timeout: 60_000 });
    }
    // The first comparison of a host starts its thread.
    const { backtestID } = await console.host.call('editor', 'POST', `/definitions/${definitionID}/backtests`, {});
    const isCompleted = async () =>
      expect(await console.host.call('viewer', 'GET', `/backtests/${backtestID}`)).toMatchObject({
        status: 'COMPLETED',
      });
    await vi.waitFor(isCompleted, { timeout: 120_000, interval: 500 });
  });

  it('compares a version with history, and shows that everything is the same', async () => {
    const page = await console.open('editor', '/console/projects/demo/processes/checks');
    await page.getByRole('button', { name: 'Compare with history' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Newest instances').fill('100');
    await dialog.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL(/\/backtests\//);
    await page.getByText('3 of 3 instances compared.').waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: '3 instances: The same' }).waitFor();
    await checkScreen(page, 'backtest');
  });

  it('compares a draft, shows on the diagram where paths part, and the instances behind a number', async () => {
    const draft = await console.host.call('editor', 'POST', '/resources', { name: 'changed', xml: model(200) });
    const page = await console.open('editor', `/console/projects/demo/deploy?resource=${draft['id']}`);
    await page.getByRole('button', { name: 'Compare with history' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL(/\/backtests\//);
    await page.getByText('3 of 3 instances compared.').waitFor({ timeout: 60_000 });
    await page.getByTitle('Taken 2 times before, 1 times by this version (-50 %)').first().waitFor();
    await page.getByTitle('1 instances differ here first').waitFor();
    await page.getByRole('table', { name: 'Differences' }).getByRole('link', { name: '1' }).click();
    await page.waitForURL(/outcome=OTHER_PATH&node=large/);
    await page.getByText('1 instance', { exact: false }).first().waitFor();
    await checkScreen(page, 'backtest-of-draft');
    await page.getByRole('link', { name: 'Backtests' }).first().click();
    await page.getByRole('link', { name: 'checks' }).first().waitFor();
    await checkScreen(page, 'backtests');
  });
});
