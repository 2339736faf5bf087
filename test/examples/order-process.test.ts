/** The process of the example in memory: what a team would write next to its own models. */
import { afterAll, beforeEach, expect, it } from 'vitest';
import { testProcess, type FileCoverage, type TestProcess } from '@perdure/testkit';

const folder = new URL('../../examples/order-fulfilment/', import.meta.url);
const reached = new Set<string>();
let order: TestProcess;
let coverage: FileCoverage;

beforeEach(async () => {
  order = await testProcess(new URL('order-fulfilment.bpmn', folder), {
    with: [new URL('collect-payment.bpmn', folder)],
  });
  return () => {
    coverage = order.coverage;
    for (const { id } of coverage.covered) reached.add(id);
  };
});
afterAll(() => {
  const missed = [...coverage.covered, ...coverage.missed].map(({ id }) => id).filter((id) => !reached.has(id));
  expect(missed, 'elements that no test has reached').toEqual([]);
});

it('a small order is delivered two seconds after it is packed', () => {
  const instance = order.start({ total: 120 });
  instance.job('ReserveStock').complete({ reservationID: 'r1' });
  instance.called('CollectPayment').job('ChargeCard').complete({ paymentID: 'p1' });
  instance.job('PackItems').complete({ parcelID: 'parcel' });
  order.advance(1_999);
  instance.expectWaitingAt('WaitForPickup');
  order.advance(1);
  instance.job('HandToCarrier').complete({ trackingNumber: 't1' });
  instance.expectCompleted('OrderDelivered');
  instance.expectVariables({ paymentID: 'p1', trackingNumber: 't1' });
  instance.expectPassed(
    'ReserveStock',
    'CollectPayment',
    'PackItems',
    'HandToCarrier',
    'PackAndShip',
    'OrderDelivered',
  );
  expect(instance.completed).not.toContain('ApproveOrder');
});

it('a large order waits for a person of the sales group', () => {
  const instance = order.start({ total: 1500 });
  instance.job('ReserveStock').complete();
  const task = instance.task('ApproveOrder');
  expect(task).toMatchObject({ candidateGroups: ['sales'], formID: 'approve-order', variables: { total: 1500 } });
  task.complete({ approved: true });
  instance.expectWaitingAt('CollectPayment');
});

it.each([
  ['without an approval', { total: 1500 }, 'not approved'],
  ['the stock does not have', { total: 120 }, 'out of stock'],
  ['the card does not cover', { total: 900 }, 'payment declined'],
])('an order that %s is refused, and the customer is notified', (_which, variables, reason) => {
  const instance = order.start(variables);
  if (reason === 'out of stock') instance.job('ReserveStock').throwError('OUT_OF_STOCK');
  else instance.job('ReserveStock').complete();
  if (reason === 'not approved') instance.task('ApproveOrder').complete({ approved: false });
  if (reason === 'payment declined') instance.called('CollectPayment').job('ChargeCard').throwError('CARD_DECLINED');
  expect(instance.job('NotifyCustomer').headers).toEqual({ template: 'order-refused' });
  instance.job('NotifyCustomer').complete();
  instance.expectCompleted('OrderRefused');
  instance.expectVariables({ reason });
});
