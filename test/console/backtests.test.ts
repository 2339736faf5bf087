import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { withDiagram } from './support/files.js';
import { endEvent, exclusiveGateway, processModel, scriptTask, startEvent } from '@perdure/testkit/models';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const PROCESS = 'order';
/** Orders of 60, 120, … */
const ORDERS = 30;
const TOTALS = Array.from({ length: ORDERS }, (_, index) => 60 * (index + 1));

/** Orders above the limit are approved by the sales department. */
const model = (limit: number) =>
  withDiagram(process(limit), PROCESS, [
    bounds('received', 152, 102, 36, 36),
    bounds('large', 265, 95, 50, 50, [255, 65]),
    bounds('approve', 370, 200, 100, 80),
    bounds('approved', 565, 215, 50, 50, [625, 233]),
    bounds('reserve', 690, 80, 100, 80),
    bounds('confirm', 870, 80, 100, 80),
    bounds('confirmed', 1052, 102, 36, 36),
    bounds('refused', 722, 322, 36, 36),
    edge('a', [188, 120], [265, 120]),
    edge('no', [315, 120], [690, 120]),
    edge('yes', [290, 145], [290, 240], [370, 240]),
    edge('b', [470, 240], [565, 240]),
    edge('accepted', [590, 215], [590, 140], [690, 140]),
    edge('declined', [590, 265], [590, 340], [722, 340]),
    edge('c', [790, 120], [870, 120]),
    edge('d', [970, 120], [1052, 120]),
  ]);

const process = (limit: number) =>
  processModel(
    PROCESS,
    [
      startEvent('received', '', { name: 'Order received' }),
      exclusiveGateway('large', { name: 'Large order?', default: 'no' }),
      scriptTask('approve', '=total < 1500', 'approved', { name: 'Ask the sales department' }),
      exclusiveGateway('approved', { name: 'Approved?', default: 'declined' }),
      scriptTask('reserve', '=true', 'reserved', { name: 'Reserve the goods' }),
      scriptTask('confirm', '=true', 'sent', { name: 'Confirm the order' }),
      endEvent('confirmed', '', { name: 'Order confirmed' }),
      endEvent('refused', '', { name: 'Order refused' }),
    ],
    [
      'a: received -> large',
      `yes: large -> approve =total > ${limit}`,
      'no: large -> reserve',
      'b: approve -> approved',
      'accepted: approved -> reserve =approved',
      'declined: approved -> refused',
      'c: reserve -> confirm',
      'd: confirm -> confirmed',
    ],
  );

/** @param label where the name of a gateway is, if a flow would cross it below */
function bounds(id: string, x: number, y: number, width: number, height: number, label?: [number, number]): string {
  const box = `<dc:Bounds x="${x}" y="${y}" width="${width}" height="${height}"/>`;
  const name =
    label && `<bpmndi:BPMNLabel><dc:Bounds x="${label[0]}" y="${label[1]}" width="70" height="14"/></bpmndi:BPMNLabel>`;
  return `<bpmndi:BPMNShape id="Shape_${id}" bpmnElement="${id}">${box}${name ?? ''}</bpmndi:BPMNShape>`;
}

function edge(id: string, ...points: readonly [number, number][]): string {
  const waypoints = points.map(
    ([x, y]) => `<di:waypoint xmlns:di="http://www.omg.org/spec/DD/20100524/DI" x="${x}" y="${y}"/>`,
  );
  return `<bpmndi:BPMNEdge id="Edge_${id}" bpmnElement="${id}">${waypoints.join('')}</bpmndi:BPMNEdge>`;
}

describe.skipIf(reasonToSkip)('the screens for backtests', () => {
  const console = useConsole();

  beforeAll(async () => {
    const definitionID = await console.host.deploy('order.bpmn', model(1000));
    for (const total of TOTALS) await console.host.start(definitionID, { total }, `order-${total}`);
    const haveEnded = async () => {
      const { data } = await console.host.call('viewer', 'GET', '/instances?status=COMPLETED&pageSize=100');
      expect(data).toHaveLength(ORDERS);
    };
    await vi.waitFor(haveEnded, { timeout: 120_000, interval: 500 });
    // The first comparison of a host starts its thread.
    const { backtestID } = await console.host.call('editor', 'POST', `/definitions/${definitionID}/backtests`, {});
    const isCompleted = async () =>
      expect(await console.host.call('viewer', 'GET', `/backtests/${backtestID}`)).toMatchObject({
        status: 'COMPLETED',
      });
    await vi.waitFor(isCompleted, { timeout: 120_000, interval: 500 });
  });

  it('compares a version with history, and shows that everything is the same', async () => {
    const page = await console.open('editor', '/console/projects/demo/processes/order');
    await page.getByRole('button', { name: 'Compare with history' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Newest instances').fill('100');
    await dialog.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL(/\/backtests\//);
    await page.getByText('30 of 30 instances compared.').waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: '30 instances: The same' }).waitFor();
    await page.getByRole('link', { name: 'Version 1' }).waitFor();
    await checkScreen(page, 'backtest');
  });

  it('compares a draft, shows on the diagram where paths part, and the instances behind a number', async () => {
    const page = await compareDraft('Ask from 1,200', model(1200));
    // Orders of 1,020 to 1,200.
    await page.getByTitle('Taken 14 times before, 10 times by this version (-29 %)').first().waitFor();
    await page.getByTitle('4 instances differ here first').waitFor();
    await page.getByRole('link', { name: 'Draft Ask from 1,200' }).waitFor();
    await page.getByRole('table', { name: 'Differences' }).getByRole('link', { name: '4' }).click();
    await page.waitForURL(/outcome=OTHER_PATH&node=large/);
    await page.getByRole('button', { name: 'Not only at Large order?' }).waitFor();
    await page.getByRole('cell', { name: 'Large order? large' }).first().waitFor();
    await checkScreen(page, 'backtest-of-draft');
    await page.getByRole('link', { name: 'Backtests' }).first().click();
    await page.getByRole('cell', { name: 'Draft Ask from 1,200' }).waitFor();
    await page.getByRole('cell', { name: 'Version 1' }).first().waitFor();
    await checkScreen(page, 'backtests');
  });

  it('plays one instance in both versions, from the first difference on', async () => {
    const page = await compareDraft('Ask from 1,050', model(1050));
    await page.getByTitle('1 instance differs here first').waitFor();
    await page.getByRole('link', { name: 'Compare runs' }).first().waitFor();
    await page.goto(`${page.url()}?outcome=OTHER_PATH`);
    await page.getByRole('link', { name: 'Compare runs' }).scrollIntoViewIfNeeded();
    await checkScreen(page, 'backtest-instances');
    await page.getByRole('link', { name: 'Compare runs' }).click();
    await page.waitForURL(/\/backtests\/[^/]+\/[^/?]+$/);
    const recorded = page.getByRole('region', { name: 'Recorded', exact: true });
    const candidate = page.getByRole('region', { name: 'This version: Draft Ask from 1,050' });
    for (const side of [recorded, candidate]) {
      await side.getByText('At Large order?').waitFor();
      await side.getByTitle('The first difference').waitFor();
    }
    await page.getByText('comes reserve "Reserve the goods" instead of approve').waitFor();
    await page.getByRole('button', { name: 'One step forward' }).click();
    await recorded.getByText('At Ask the sales department').waitFor();
    await candidate.getByText('At Reserve the goods').waitFor();
    await checkScreen(page, 'compared-runs');
    await page.getByRole('slider', { name: 'Step' }).press('End');
    await recorded.getByText('At Order confirmed').waitFor();
    await candidate.getByText('At Order confirmed').waitFor();
    await page.setViewportSize({ width: 420, height: 900 });
    await page.reload();
    await candidate.getByText('At Order confirmed').waitFor();
    await candidate.getByRole('button', { name: 'Zoom in' }).scrollIntoViewIfNeeded();
    await checkScreen(page, 'compared-runs-narrow');
    await page.setViewportSize({ width: 1280, height: 900 });
    await candidate.getByRole('link', { name: 'Play this version' }).waitFor();
    await recorded.getByRole('link', { name: 'Replay the instance here' }).click();
    await page.waitForURL(/\/instances\/[^?]+\?at=\d+/);
    await page.getByRole('group', { name: 'Replay' }).getByText('Element activated · Order confirmed').waitFor();
  });

  it('opens a play at the first difference of an instance, next to its recorded run', async () => {
    const page = await compareDraft('Ask from 1,070', model(1070));
    await page.goto(`${page.url()}?outcome=OTHER_PATH`);
    await page.getByRole('row', { name: 'Another path' }).getByRole('link', { name: 'Play' }).click();
    await page.waitForURL(/\/play\?backtest=/);
    const recorded = page.getByRole('region', { name: 'Recorded', exact: true });
    const version = page.getByRole('region', { name: 'This version' });
    const areAt = async (before: string, after: string, position: string) => {
      await recorded.getByText(`At ${before}`).waitFor();
      await version.getByText(after, { exact: true }).waitFor();
      await page.getByText(position, { exact: true }).waitFor();
    };
    await areAt('Large order?', 'At Large order?', '1 / 4');
    for (const side of [recorded, version]) await side.getByTitle('The first difference').waitFor();
    await page.getByText('in the middle of a step').waitFor();
    await checkScreen(page, 'play-difference');
    const move = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await move('One move forward');
    await areAt('Ask the sales department', 'At Reserve the goods', '2 / 4');
    await move('One move back');
    await areAt('Large order?', 'At Large order?', '1 / 4');
    await move('One move back');
    await areAt('Order received', 'At Order received', '0 / 4');
    for (const position of [1, 2, 3, 4]) {
      await move('One move forward');
      await page.getByText(`${position} / 4`, { exact: true }).waitFor();
    }
    await areAt('Order confirmed', 'No tokens', '4 / 4');
    await page.getByText('Every instance has ended.').waitFor();
    await page.setViewportSize({ width: 420, height: 900 });
    await checkScreen(page, 'play-difference-narrow');
    await page.getByRole('link', { name: 'Compare runs' }).click();
    await page.getByRole('link', { name: 'Play this version' }).click();
    await areAt('Large order?', 'At Large order?', '1 / 4');
  });

  it('shows the runs of a draft that was deleted, without its diagram', async () => {
    const page = await compareDraft('Ask from 1,030', model(1030));
    const resourceID = (await console.host.call('viewer', 'GET', '/backtests')).data[0].resourceID;
    await console.host.call('editor', 'DELETE', `/resources/${resourceID}`);
    await page.reload();
    await page.getByText('A deleted draft').waitFor();
    await page.goto(`${page.url()}?outcome=OTHER_PATH`);
    await page.getByRole('link', { name: 'Compare runs' }).click();
    const candidate = page.getByRole('region', { name: 'This version: A deleted draft' });
    await candidate.getByText('The file is not here anymore.').waitFor();
    await candidate.getByText('At Large order?').waitFor();
  });

  /** Opens the completed backtest of a draft. */
  async function compareDraft(name: string, xml: string) {
    const draft = await console.host.call('editor', 'POST', '/resources', { name, xml });
    const page = await console.open('editor', `/console/projects/demo/deploy?resource=${draft['id']}`);
    await page.getByRole('button', { name: 'Compare with history' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL(/\/backtests\//);
    await page.getByText('30 of 30 instances compared.').waitFor({ timeout: 60_000 });
    return page;
  }
});
