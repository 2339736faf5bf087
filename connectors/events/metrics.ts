/** Deliveries of events to subscribers, by outcome. */
import { Counter, type Registry } from 'prom-client';

export type CountDeliveries = (outcome: 'delivered' | 'failed' | 'dead', count: number) => void;

/** Adds the metric. Returns the function that counts. */
export function addDeliveryMetrics(registry: Registry): CountDeliveries {
  const deliveries = new Counter({
    name: 'perdure_event_deliveries_total',
    help: 'Attempts to deliver an event to a subscription, by outcome: delivered, failed (tried again), dead (given up after three days).',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return (outcome, count) => deliveries.inc({ outcome }, count);
}
