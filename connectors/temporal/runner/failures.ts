/** The error code of a failed activity, workflow, or operation. */
import { ApplicationFailure, CancelledFailure, TerminatedFailure, TimeoutFailure } from '@temporalio/common';
import type { Json } from '@perdure/engine/contract/json.js';
import type { TaskFailure } from './messages.js';

/** Nexus's failure of an operation, which wraps the one of the service. */
const OF_NEXUS = 'OperationError';
const MAX_CODE_LENGTH = 255;
const MAX_MESSAGE_LENGTH = 2_000;
const MAX_DETAILS_LENGTH = 32 * 1024;

/** The outermost failure that a service has thrown decides; a timeout may have one inside. */
export function failureOf(error: unknown): TaskFailure {
  const chain = chainOf(error);
  const thrown = chain.find((one) => one instanceof ApplicationFailure && one.type !== OF_NEXUS);
  if (thrown instanceof ApplicationFailure) return { ...describe(thrown), ...detailsOf(thrown) };
  const { code, cause } = ended(chain);
  return { code, message: messageOf(cause ?? chain.at(-1)) };
}

function describe(failure: ApplicationFailure): TaskFailure {
  return { code: (failure.type ?? '').slice(0, MAX_CODE_LENGTH) || 'TEMPORAL_FAILED', message: messageOf(failure) };
}

function detailsOf({ details }: ApplicationFailure): Pick<TaskFailure, 'details'> {
  if (!details || details.length === 0) return {};
  const value = (details.length === 1 ? details[0] : details) as Json;
  const text = JSON.stringify(value);
  return text === undefined || text.length > MAX_DETAILS_LENGTH ? {} : { details: value };
}

function ended(chain: readonly Error[]): { code: string; cause?: Error } {
  const codes = [
    [TimeoutFailure, 'TEMPORAL_TIMEOUT'],
    [TerminatedFailure, 'TEMPORAL_TERMINATED'],
    [CancelledFailure, 'TEMPORAL_CANCELED'],
  ] as const;
  for (const cause of chain) for (const [kind, code] of codes) if (cause instanceof kind) return { code, cause };
  return { code: 'TEMPORAL_FAILED' };
}

function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let one = error; one instanceof Error && chain.length < 20; one = one.cause) chain.push(one);
  return chain;
}

function messageOf(error: { message?: unknown } | undefined): string {
  return String(error?.message ?? 'The execution failed').slice(0, MAX_MESSAGE_LENGTH);
}
