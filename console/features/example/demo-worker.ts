/** The demo worker of this browser tab, with the orders that it works on. It ends with the tab, like its tokens. */
import { useSyncExternalStore } from 'react';
import { sentenceOf } from '../../components/feedback/states.js';
import type { DemoOrder } from './order.js';

/** Its work on one order, or the reason why it stopped. */
type Work = { kind: 'working' } | { kind: 'failed'; reason: string };

/** By workflow id. */
type DemoWorker = ReadonlyMap<string, Work>;

let current: DemoWorker = new Map();
const stops = new Map<string, AbortController>();
const listeners = new Set<() => void>();

export function useDemoWorker(): DemoWorker {
  return useSyncExternalStore(subscribe, () => current);
}

/** Works on an order until the order ends. Has no effect if it already works on the order. */
export function startDemoWorker(order: DemoOrder): void {
  const { workflowID } = order;
  if (stops.has(workflowID)) return;
  const stop = new AbortController();
  stops.set(workflowID, stop);
  change(workflowID, { kind: 'working' });
  void work(order, stop.signal);
}

export function stopDemoWorker(): void {
  for (const stop of stops.values()) stop.abort();
}

async function work(order: DemoOrder, signal: AbortSignal): Promise<void> {
  let end: Work | undefined;
  try {
    // Loaded on demand, because few users run the example.
    const { workOnOrder } = await import('./work-on-order.js');
    await workOnOrder(order, signal);
  } catch (error) {
    end = { kind: 'failed', reason: sentenceOf(error) };
  }
  stops.delete(order.workflowID);
  change(order.workflowID, end);
}

function change(workflowID: string, work: Work | undefined): void {
  const next = new Map(current);
  if (work === undefined) next.delete(workflowID);
  else next.set(workflowID, work);
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
