/** Coded workflows of others that call processes, and one that a process calls. */
import {
  CancellationScope,
  condition,
  createNexusServiceClient,
  defineSignal,
  setHandler,
  type NexusServiceClient,
} from '@temporalio/workflow';

type Service = Parameters<typeof createNexusServiceClient>[0]['service'];

const names = ['startProcess', 'runProcess', 'publishMessage', 'publishSignal'];
const perdure = {
  name: 'perdure',
  operations: Object.fromEntries(names.map((name) => [name, { name }])),
} as unknown as Service;

export interface Called {
  endpoint: string;
  operation: string;
  input: unknown;
  /** How long the operation may take. */
  within?: string;
}

export interface Failure {
  name: string;
  message: string;
  /** Of an application failure, or of an error of Nexus. */
  type?: string;
  details?: unknown[];
}

export interface Answer {
  result?: unknown;
  /** The outermost first. */
  failures?: Failure[];
}

function clientOf(endpoint: string): NexusServiceClient<Service> {
  return createNexusServiceClient({ endpoint, service: perdure });
}

export async function callPerdure({ endpoint, operation, input, within = '40s' }: Called): Promise<Answer> {
  return answerOf(() =>
    clientOf(endpoint).executeOperation(operation, input as never, { scheduleToCloseTimeout: within as '40s' }),
  );
}

export const giveUp = defineSignal('giveUp');

/** Cancels the operation at a signal, and waits for its end. */
export async function runUntilGivenUp({ endpoint, input }: Called): Promise<Answer> {
  const scope = new CancellationScope();
  setHandler(giveUp, () => scope.cancel());
  return answerOf(() =>
    scope.run(() =>
      clientOf(endpoint).executeOperation('runProcess', input as never, {
        cancellationType: 'WAIT_CANCELLATION_COMPLETED',
      }),
    ),
  );
}

export const deliver = defineSignal('deliver');

/** A process calls this one. */
export async function ship({ to }: { to: string }): Promise<{ shippedTo: string }> {
  let isDelivered = false;
  setHandler(deliver, () => void (isDelivered = true));
  await condition(() => isDelivered);
  return { shippedTo: to };
}

async function answerOf(work: () => Promise<unknown>): Promise<Answer> {
  try {
    return { result: await work() };
  } catch (error) {
    return { failures: chainOf(error) };
  }
}

function chainOf(error: unknown): Failure[] {
  if (!(error instanceof Error)) return [];
  const { type, details } = error as { type?: string; details?: unknown[] };
  const { name, message, cause } = error;
  return [{ name, message, ...(type && { type }), ...(details && { details }) }, ...chainOf(cause)];
}
