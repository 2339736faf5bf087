import type { z } from 'zod';
import { handleRecorded } from '../audit/recording.js';
import type { Operation } from '../commands/operation.js';
import { isProblem } from '../contract/problem.js';
import { withDeadline } from '../http/failures.js';
import { openLines } from '../http/response/lines.js';
import { verifyResponse } from '../http/response/verify-response.js';
import type { ApiHost } from './api-host.js';
import type { Call } from './call.js';
import { answerOnce } from './repeats.js';
import type { Response } from './steps.js';
import { CountedWaiting, withRetryAfter } from './waits.js';

/** How long the first row of a stream can take. */
const LINES_DEADLINE_SECONDS = 30;

/** Runs the handler: 404 for a missing object, 409, success; 503 after the deadline of the operation. */
export async function handle(call: Call, { context, configuration }: ApiHost) {
  const notifications = new CountedWaiting(context.notifications, call);
  call.context = { ...context, store: call.store, notifications };
  const { stream } = call;
  if (stream) return respondWithLines(call, stream, configuration.verifyResponses ? stream.item : undefined);
  call.isWorking = true;
  call.response = await withDeadline(workOf(call), call.operation.deadlineSeconds);
  call.endTurns();
  return undefined;
}

/** Work that exceeded its deadline is still running, so it keeps the places of its caller. */
async function workOf(call: Call): Promise<Response> {
  try {
    return await answerOnce(call, () => handleRecorded(call.operation, call));
  } finally {
    call.leave();
  }
}

/** A stream counts as work until its response is over. */
async function respondWithLines(
  call: Call,
  { format, read }: NonNullable<Operation['lines']>,
  item: z.ZodType | undefined,
): Promise<Response> {
  const rows = await read(call);
  if (isProblem(rows)) return rows;
  const opening = openLines(rows, format, item);
  call.isWorking = true;
  const leave = () => call.leave();
  void opening.then(({ closed }) => closed).then(leave, leave);
  const opened = await withDeadline(opening, LINES_DEADLINE_SECONDS);
  if ('text' in opened) return { status: 200, lines: opened };
  const late = opening.then((lines) => lines.close());
  late.catch(() => undefined);
  return opened;
}

/** Responds. Tests let undeclared responses fail here. */
export function verify({ operation, response, isShortened }: Call, { configuration }: ApiHost): Response {
  if (configuration.verifyResponses) verifyResponse(operation, response!);
  return isShortened ? withRetryAfter(response!) : response!;
}
