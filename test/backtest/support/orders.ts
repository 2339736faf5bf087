/** Orders of the example with what happens to each, and their instances on the engine in memory. */
import { readFileSync } from 'node:fs';
import type { Recording } from '@perdure/backtest';
import type { MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import { Random } from '../../engine/random/random.js';
import { recordAll } from './recorder-of-host.js';

const folder = new URL('../../../examples/order-fulfilment/', import.meta.url);
export const ORDER_MODEL = readFileSync(new URL('order-fulfilment.bpmn', folder), 'utf8');
const PAYMENT_MODEL = readFileSync(new URL('collect-payment.bpmn', folder), 'utf8');

export interface Order {
  total: number;
  inStock: boolean;
  /** The answer of the sales department, if it is asked. */
  approved: boolean;
  cardAccepted: boolean;
}

export interface PlacedOrder {
  order: Order;
  recording: Recording;
}

export async function placeOrders(count: number, seed: number): Promise<PlacedOrder[]> {
  const host = await MemoryHost.deploy(ORDER_MODEL, PAYMENT_MODEL);
  host.compareEvery = Infinity;
  const recorders = recordAll(host);
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const order = {
      total: random.below(30) * 100,
      inStock: random.chance(0.85),
      approved: random.chance(0.6),
      cardAccepted: random.chance(0.8),
    };
    host.instances.clear();
    const instance = host.start('order-fulfilment', { total: order.total, items: [] });
    fulfil(host, instance, order, random);
    return { order, recording: recorders.get(instance.workflowID)!.recording };
  });
}

function fulfil(host: MemoryHost, instance: MemoryInstance, order: Order, random: Random): void {
  const takesTime = () => host.advance(1 + random.below(3_600_000));
  takesTime();
  if (order.inStock) host.completeJob(instance, 'ReserveStock', { reservationID: `r${random.below(100)}` });
  else host.throwJobError(instance, 'ReserveStock', 'OUT_OF_STOCK');
  if (waits(instance, 'ApproveOrder')) {
    takesTime();
    host.completeTask(instance, 'ApproveOrder', { approved: order.approved });
  }
  if (waits(instance, 'CollectPayment')) pay(host, instance, order, takesTime, random);
  if (waits(instance, 'PackItems')) ship(host, instance, takesTime, random);
  if (!waits(instance, 'NotifyCustomer')) return;
  takesTime();
  host.completeJob(instance, 'NotifyCustomer', { notifiedWith: 'letter' });
}

function pay(host: MemoryHost, instance: MemoryInstance, order: Order, takesTime: () => void, random: Random): void {
  const payment = host.child(instance, 'CollectPayment');
  takesTime();
  if (order.cardAccepted) host.completeJob(payment, 'ChargeCard', { paymentID: `p${random.below(100)}` });
  else host.throwJobError(payment, 'ChargeCard', 'CARD_DECLINED');
}

function ship(host: MemoryHost, instance: MemoryInstance, takesTime: () => void, random: Random): void {
  takesTime();
  host.completeJob(instance, 'PackItems', { parcelID: `b${random.below(100)}` });
  // Timers fire late.
  host.now += 2_000 + random.below(500);
  host.advance(0);
  host.completeJob(instance, 'HandToCarrier', { trackingNumber: `t${random.below(100)}` });
}

function waits({ state }: MemoryInstance, nodeID: string): boolean {
  return Object.values(state.waits).some(({ node }) => node === nodeID);
}
