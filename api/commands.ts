/**
 * The way of everything that is asked of an instance: the store has written it as a command, the instance is told,
 * and the answer waits for what becomes of it, as long as the caller is willing to wait.
 */
import type { z } from 'zod';
import type { CommandOutcome } from '../engine/commands.js';
import type { Submitted } from '../store/commands.js';
import type { Refusal, RefusalCode } from '../store/refusal.js';
import type { ApiContext } from './context.js';
import { command } from './operations/commands/schemas.js';
import { problem } from './problem.js';
import type { Problem } from './problem.js';
import { refusalProblem } from './refusal.js';

type CommandBody = z.output<typeof command>;

/** 200 when the command has had its effect, 202 when that is still to come. */
export type CommandAnswer = { readonly status: 200; readonly body: CommandBody } | { readonly status: 202; readonly body: CommandBody };

/** How an operation documents that its command was accepted and has not been carried out in time. */
export const acceptedResponse = {
  description: 'It is kept and will be carried out; ask for the outcome under .../commands/{commandID}.',
  schema: command,
} as const;

/** Longest wait that `Prefer: wait=N` gives, and a little: the handler's own time. */
export const commandDeadlineSeconds = 70;

/** The codes that any command can be rejected with. */
export type RejectionCode = 'BAD_REQUEST' | 'CONFLICT' | 'INSTANCE_ENDED';

/** Tells the instance of a written command and waits for its outcome. What the store has refused or the instance rejects is a problem. */
export async function carryOut<Code extends RefusalCode = never>(
  { instances, notifications }: ApiContext,
  workflowID: string,
  submitted: Submitted | Refusal<Code>,
  waitMilliseconds: number,
): Promise<CommandAnswer | Problem<RejectionCode | Code>> {
  if (submitted.kind === 'refused') return refusalProblem(submitted);
  const { commandID, command: sent, waitsForResume, isNew, lingeringWorker } = submitted;
  // Listening begins before the signal leaves: an outcome may be there before the signal call returns.
  const listening = notifications.awaitOutcome(workflowID, sent.number, waitsForResume ? 0 : waitMilliseconds, isNew);
  // Not waited for: what does not arrive is sent again by the dispatcher.
  void instances.deliver(workflowID, sent, lingeringWorker);
  const outcome = await listening;
  if (outcome === undefined) return { status: 202, body: { commandID, status: 'PENDING' } };
  const { status, message, issues } = outcome;
  if (status === 'APPLIED') return { status: 200, body: { commandID, status, message } };
  return problem(rejectionCode(outcome), message ?? 'The instance has rejected the request.', { details: { commandID, ...(issues && { issues }) } });
}

/** What an instance does not find any more existed when it was asked: that is a conflict, not a wrong address. */
function rejectionCode({ code }: CommandOutcome): RejectionCode {
  return code === 'INSTANCE_ENDED' || code === 'BAD_REQUEST' ? code : 'CONFLICT';
}
