/**
 * The cost of Temporal alone for the shape of an instance: a local activity that writes one row instead of each step commit, and a
 * result instead of what it waits for. By signal it is the floor: as many events and workflow tasks as a host whose commits
 * do not linger, without a process and without REST. Through activities that linger it is the ceiling: one workflow task.
 */
import { condition, defineSignal, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import { GO_ON, type FloorInput } from './messages.js';
import type { FloorActivities } from './process.js';

const goOn = defineSignal(GO_ON);
const { commitStep } = proxyLocalActivities<FloorActivities>({ startToCloseTimeout: '5s' });

export async function floor({ waits, lingers }: FloorInput): Promise<void> {
  let results = 0;
  setHandler(goOn, () => {
    results += 1;
  });
  for (let number = 0; number < waits; number += 1) {
    if (await commitStep({ number, isLast: false, lingers })) results += 1;
    await condition(() => results > number);
  }
  await commitStep({ number: waits, isLast: true, lingers });
}
