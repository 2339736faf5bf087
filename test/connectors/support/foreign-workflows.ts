/** Workflows of others, as a task can run them. */
import { ApplicationFailure, condition, CancellationScope } from '@temporalio/workflow';

export async function ship(input: { to: string }): Promise<{ shippedTo: string }> {
  if (input.to === 'nowhere') throw ApplicationFailure.nonRetryable('There is no such place', 'UNKNOWN_PLACE');
  return { shippedTo: input.to };
}

export async function waitForever(): Promise<void> {
  await CancellationScope.current().run(() => condition(() => false));
}
