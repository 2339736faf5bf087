/** Changes of the order example whose effect on each order is known without running it. */
import { backtest, Tally, type BacktestItem } from '@perdure/backtest';
import { beforeAll, expect, it } from 'vitest';
import { base } from '../engine/random/seeds.js';
import { modelFrom } from './support/recording.js';
import { ORDER_MODEL, placeOrders, type Order, type PlacedOrder } from './support/orders.js';

/** `npm run backtest-proof` has more. */
const ORDERS = Number(process.env['BACKTEST_ORDERS'] || 100);

type Expected = Omit<BacktestItem, 'workflowID' | 'durationMs' | 'durationBeforeMs' | 'reason'>;

interface Change {
  name: string;
  model: string;
  /** Of the orders that `affects`; all others are the same. */
  affects(order: Order): boolean;
  expected: Expected | ((order: Order) => Expected);
}

const isLarge = ({ inStock, total }: Order) => inStock && total > 1000;
const isAccepted = (order: Order) => order.inStock && (order.total <= 1000 || order.approved);
const isShipped = (order: Order) => isAccepted(order) && order.cardAccepted;

function replace(...pairs: [from: string | RegExp, to: string][]): string {
  let xml = ORDER_MODEL;
  for (const [from, to] of pairs) {
    const changed = xml.replace(from, to);
    if (changed === xml) throw new Error(`The example has no ${String(from)}`);
    xml = changed;
  }
  return xml;
}

/** Puts an element on a flow: the second half of the flow is a new one. */
function insert(flow: string, target: string, id: string, element: string): string {
  return replace(
    [
      new RegExp(`(<bpmn:sequenceFlow id="${flow}" sourceRef="[^"]+" targetRef=)"${target}" />`),
      `$1"${id}" /><bpmn:sequenceFlow id="Flow_New" sourceRef="${id}" targetRef="${target}" />${element}`,
    ],
    [`<bpmn:incoming>${flow}</bpmn:incoming>`, '<bpmn:incoming>Flow_New</bpmn:incoming>'],
  );
}

function otherPath(nodeID: string, expected: string[], found: string[]): Expected {
  return { outcome: 'OTHER_PATH', first: { nodeID, occurrence: 1, expected, found } };
}

function at(outcome: 'INCIDENT' | 'UNANSWERED', nodeID: string): Expected {
  return { outcome, first: { nodeID, occurrence: 1 } };
}

function otherResult(nodeID: string, ...variables: string[]): Expected {
  return { outcome: 'OTHER_RESULT', first: { nodeID, occurrence: 1 }, variables };
}

const changes: Change[] = [
  {
    name: 'a higher limit for approvals',
    model: replace(['=total &gt; 1000', '=total &gt; 2000']),
    affects: (order) => isLarge(order) && order.total <= 2000,
    expected: otherPath('LargeOrder', ['ApproveOrder'], ['Accepted']),
  },
  {
    name: 'a lower limit for approvals, which these orders never got',
    model: replace(['=total &gt; 1000', '=total &gt; 500']),
    affects: ({ inStock, total }) => inStock && total > 500 && total <= 1000,
    expected: at('UNANSWERED', 'ApproveOrder'),
  },
  {
    name: 'another text of a script',
    model: replace(['=&#34;not approved&#34;', '=&#34;refused by sales&#34;']),
    affects: (order) => isLarge(order) && !order.approved,
    expected: otherResult('NoteRefusal', 'reason'),
  },
  {
    name: 'a boundary event that is gone',
    model: replace(
      [/<bpmn:boundaryEvent id="OutOfStock"[\s\S]*?<\/bpmn:boundaryEvent>/, ''],
      [/<bpmn:sequenceFlow id="Flow_OutOfStock"[^>]*>/, ''],
      ['<bpmn:incoming>Flow_OutOfStock</bpmn:incoming>', ''],
    ),
    affects: ({ inStock }) => !inStock,
    expected: at('INCIDENT', 'ReserveStock'),
  },
  {
    name: 'a new script between two nodes',
    model: insert(
      'Flow_Accepted',
      'CollectPayment',
      'AddTax',
      '<bpmn:scriptTask id="AddTax"><bpmn:extensionElements><zeebe:script expression="=0" resultVariable="tax" /></bpmn:extensionElements><bpmn:incoming>Flow_Accepted</bpmn:incoming><bpmn:outgoing>Flow_New</bpmn:outgoing></bpmn:scriptTask>',
    ),
    affects: isAccepted,
    expected: otherPath('Accepted', ['CollectPayment'], ['AddTax']),
  },
  {
    name: 'a new task for people',
    model: insert(
      'Flow_Paid',
      'PackAndShip',
      'CheckOrder',
      '<bpmn:userTask id="CheckOrder"><bpmn:extensionElements><zeebe:userTask /></bpmn:extensionElements><bpmn:incoming>Flow_Paid</bpmn:incoming><bpmn:outgoing>Flow_New</bpmn:outgoing></bpmn:userTask>',
    ),
    affects: isShipped,
    expected: at('UNANSWERED', 'CheckOrder'),
  },
  {
    name: 'a task with another id, which gets the results of its type',
    model: replace([/"HandToCarrier"/g, '"GiveToCarrier"']),
    affects: isShipped,
    expected: otherPath('WaitForPickup', ['HandToCarrier'], ['GiveToCarrier']),
  },
  {
    name: 'an output with another name',
    model: replace(['source="=paymentID" target="paymentID"', 'source="=paymentID" target="payment"']),
    affects: isShipped,
    expected: otherResult('CollectPayment', 'payment', 'paymentID'),
  },
  {
    name: 'a longer timer, which changes durations only',
    model: replace(['PT2S', 'PT1H']),
    affects: () => false,
    expected: { outcome: 'SAME' },
  },
  {
    name: 'an error that is no longer caught',
    model: replace(['errorCode="PAYMENT_DECLINED"', 'errorCode="NO_PAYMENT"']),
    affects: (order) => isAccepted(order) && !order.cardAccepted,
    expected: at('INCIDENT', 'CollectPayment'),
  },
  {
    name: 'a condition turned around',
    model: replace(['>=approved<', '>=not(approved)<']),
    affects: isLarge,
    expected: ({ approved }) =>
      approved
        ? otherPath('Approved', ['Accepted'], ['NoteRefusal'])
        : otherPath('Approved', ['NoteRefusal'], ['Accepted']),
  },
  {
    name: 'a condition with a variable that no order has',
    model: replace(['=total &gt; 1000', '=price &gt; 1000']),
    affects: ({ inStock }) => inStock,
    expected: at('INCIDENT', 'LargeOrder'),
  },
];

let orders: PlacedOrder[];

beforeAll(async () => {
  orders = await placeOrders(ORDERS, base);
});

it.each(changes)(
  `exactly the orders that it affects, of ${ORDERS}, differ, and at the right node: $name (RANDOM_SEED=${base})`,
  async ({ model, affects, expected }) => {
    const candidate = await modelFrom(model);
    const tally = new Tally();
    let affected = 0;
    for (const { order, recording } of orders) {
      const result = backtest(recording, candidate);
      tally.add(result);
      const { workflowID: _, durationMs: _after, durationBeforeMs: _before, reason: _reason, ...found } = result.item;
      const wanted = typeof expected === 'function' ? expected(order) : expected;
      expect(found, JSON.stringify(order)).toEqual(affects(order) ? wanted : { outcome: 'SAME' });
      if (affects(order)) affected += 1;
    }
    const { counts, groups, done } = tally.report;
    expect([done, counts.same]).toEqual([ORDERS, ORDERS - affected]);
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(affected);
  },
  60_000 + ORDERS * 100,
);

it('a longer timer is seen in the durations', async () => {
  const candidate = await modelFrom(replace(['PT2S', 'PT1H']));
  const { order, recording } = orders.find((each) => isShipped(each.order))!;
  const { item } = backtest(recording, candidate);
  expect([order.inStock, item.outcome]).toEqual([true, 'SAME']);
  const longer = item.durationMs! - item.durationBeforeMs!;
  // The recorded timer was late by up to half a second, which the other one is not.
  expect(longer).toBeGreaterThan(3_600_000 - 2_500);
  expect(longer).toBeLessThanOrEqual(3_600_000 - 2_000);
});

it('flows have the number of times they were taken, before and after', async () => {
  const candidate = await modelFrom(replace(['=total &gt; 1000', '=total &gt; 2000']));
  const tally = new Tally();
  for (const { recording } of orders) tally.add(backtest(recording, candidate));
  const large = tally.report.flows.find(({ flowID }) => flowID === 'Flow_Large');
  const count = (limit: number) => orders.filter(({ order }) => order.inStock && order.total > limit).length;
  expect(large).toEqual({ flowID: 'Flow_Large', before: count(1000), after: count(2000) });
});

it('a reason names nodes of the model, and no value of the instance', async () => {
  const candidate = await modelFrom(replace(['=total &gt; 1000', '=total &gt; 2000']));
  const affected = orders.find(({ order }) => isLarge(order) && order.total <= 2000)!;
  expect(backtest(affected.recording, candidate).item.reason).toBe(
    'After LargeOrder "Large order?" comes Accepted instead of ApproveOrder "Approve order"',
  );
});
