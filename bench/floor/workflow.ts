/**
 * What Temporal alone takes for the shape of an instance: a local activity that writes one row in place of each park, a
 * signal in place of what it waits for. As many events and workflow tasks as the host, without a process and without REST.
 */
import { condition, defineSignal, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { FloorActivities } from './process.js';

export const GO_ON = 'goOn';

export interface FloorInput {
  /** How often it waits for a signal. */
  waits: number;
}

const goOn = defineSignal(GO_ON);
const { park } = proxyLocalActivities<FloorActivities>({ startToCloseTimeout: '5s' });

export async function floor({ waits }: FloorInput): Promise<void> {
  let signals = 0;
  setHandler(goOn, () => {
    signals += 1;
  });
  await park(0, waits === 0);
  for (let wait = 1; wait <= waits; wait += 1) {
    await condition(() => signals >= wait);
    await park(wait, wait === waits);
  }
}
