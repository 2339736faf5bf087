/**
 * How the API sends commands to an instance. The store has already written the command. The API delivers
 * it to the instance and waits for the outcome for as long as the caller is willing to wait.
 */
import type { z } from 'zod';
import type { CommandOutcome } from '@perdure/engine/contract/commands.js';
import { deliverAndAwait } from '../../hot-instances/deliver-command.js';
import type { Submitted } from '../../store/instances/submit-command.js';
import type { Refusal, RefusalCode } from '../../store/sql/refusal.js';
import type { ApiContext } from '../context.js';
import { command } from '../contract/command.js';
import { problem } from '../contract/problem.js';
import type { Problem } from '../contract/problem.js';
import { refusalProblem } from './refusal.js';

type CommandBody = z.output<typeof command>;

/** 200 when the command has taken effect, 202 when it is still pending. */
export type CommandResult =
  { readonly status: 200; readonly body: CommandBody } | { readonly status: 202; readonly body: CommandBody };

/** The response for a command that was accepted but not carried out in time. */
export const acceptedResponse = {
  description: 'Accepted; poll `GET .../commands/{commandID}` for the outcome',
  schema: command,
} as const;

/** The longest wait of `Prefer: wait=N`, plus a margin for the handler itself. */
export const commandDeadlineSeconds = 70;

/** The codes that a command can be rejected with. */
export type RejectionCode = 'BAD_REQUEST' | 'CONFLICT' | 'INSTANCE_ENDED';

/**
 * Delivers a written command to its instance and waits for its outcome. Refusals by the store and rejections by the
 * instance become problems.
 */
export async function submitAndAwait<Code extends RefusalCode = never>(
  context: ApiContext,
  submitted: Submitted | Refusal<Code>,
  waitMilliseconds: number,
): Promise<CommandResult | Problem<RejectionCode | Code>> {
  if (submitted.kind === 'refused') return refusalProblem(submitted);
  return answerOf(submitted.commandID, await deliverAndAwait(context, submitted, waitMilliseconds));
}

/** The response for a written command. @param outcome undefined while it is pending */
export function answerOf(
  commandID: string,
  outcome: CommandOutcome | undefined,
): CommandResult | Problem<RejectionCode> {
  if (outcome === undefined) return { status: 202, body: { commandID, status: 'PENDING' } };
  const { status, message, issues } = outcome;
  if (status === 'APPLIED') return { status: 200, body: { commandID, status, message } };
  return problem(rejectionCode(outcome), message ?? 'The instance rejected the request', {
    details: { commandID, ...(issues && { issues }) },
  });
}

/**
 * An object that no longer exists in the instance did exist when the request was made: that is a conflict, not a wrong
 * address.
 */
function rejectionCode({ code }: CommandOutcome): RejectionCode {
  return code === 'INSTANCE_ENDED' || code === 'BAD_REQUEST' ? code : 'CONFLICT';
}
