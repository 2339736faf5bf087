/** Sends a call to a permitted host, with its secrets. */
import { withTimeLimit } from '@perdure/lib/network/time-limit.js';
import type { Egress } from '../../outbound/egress/egress.js';
import type { OutboundAnswer } from '../../outbound/egress/send.js';
import type { Mask } from '../../outbound/secrets/mask.js';
import type { Secrets } from '../../outbound/secrets/secret.js';
import type { Placeholder } from '../inputs/placeholders.js';
import type { Call, Timeouts } from './call.js';
import { encode, MAX_BODY_BYTES } from './request.js';
import { resolveSecrets } from './resolve.js';

export interface CallToSend {
  readonly projectID: string;
  readonly call: Call;
  readonly placeholders: readonly Placeholder[];
  /** Headers of the host, which win over those of the model. */
  readonly own: Record<string, string>;
  readonly timeouts: Timeouts;
}

export interface SendOptions {
  readonly egress: Egress;
  readonly secrets: Secrets;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
}

export interface AnsweredCall {
  readonly answer: OutboundAnswer;
  readonly host: string;
  /** Hides the secrets that were sent. */
  readonly mask: Mask;
}

/** @throws OutboundError; TaskError; the reason of the signal if it is aborted */
export async function sendCall(
  { projectID, call: template, placeholders, own, timeouts }: CallToSend,
  { egress, secrets, signal }: SendOptions,
): Promise<AnsweredCall> {
  const target = await checkInTime(egress, template.url, timeouts.connectionMilliseconds, signal);
  const { call, mask } = await resolveSecrets(template, placeholders, { secrets, projectID });
  const answer = await egress.send(
    { ...target, url: new URL(call.url) },
    {
      method: call.method,
      ...encode(call, own),
      connectionTimeoutMilliseconds: timeouts.connectionMilliseconds,
      readTimeoutMilliseconds: timeouts.readMilliseconds,
      answerBody: { maxBytes: MAX_BODY_BYTES },
      signal,
    },
  );
  return { answer, host: target.url.host, mask };
}

/** The lookup of the name is part of the connection. */
async function checkInTime(egress: Egress, url: string, milliseconds: number, signal: AbortSignal) {
  try {
    return await egress.check(url, withTimeLimit(signal, milliseconds));
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
