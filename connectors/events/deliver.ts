/** Delivers one event: one signed POST. */
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import type { Egress } from '../../outbound/egress/egress.js';
import { OutboundError } from '../../outbound/egress/outbound-error.js';
import type { Secrets } from '../../outbound/secrets/secret.js';
import { keyOf, MIN_KEY_BYTES, signatureOf } from '../../outbound/standard-webhooks.js';
import type { Receiver } from '../../store/event-subscriptions/turns.js';
import { toCloudEvent } from '../../store/events/cloud-event.js';
import type { StoredEvent } from '../../store/events/feed.js';

/** From the name lookup to the end of the response. */
const MAX_REQUEST_MS = 10_000;

export interface Outbound {
  egress: Egress;
  secrets: Secrets;
  logger: Logger;
}

/** @returns why the delivery failed, without contents of request and response; undefined if it succeeded */
export async function deliver(
  { egress, secrets, logger }: Outbound,
  projectID: string,
  { url, secret }: Receiver,
  event: StoredEvent,
): Promise<string | undefined> {
  const late = AbortSignal.timeout(MAX_REQUEST_MS);
  try {
    const value = (await secrets.resolve(projectID, secret))?.values[0];
    if (value === undefined) return `The secret ${secret} does not exist. An operator can add it.`;
    const key = keyOf(value);
    if (key === undefined)
      return `The secret ${secret} is not base64 of at least ${MIN_KEY_BYTES} bytes. An operator can change it.`;
    const target = await egress.check(url, late);
    const body = Buffer.from(JSON.stringify(toCloudEvent(projectID, event)));
    const message = { id: event.position, timestamp: Math.floor(Date.now() / 1000), body };
    const { status } = await egress.send(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'webhook-id': message.id,
        'webhook-timestamp': String(message.timestamp),
        'webhook-signature': signatureOf(key, message),
      },
      body,
      connectionTimeoutMilliseconds: MAX_REQUEST_MS,
      readTimeoutMilliseconds: MAX_REQUEST_MS,
      answerBody: 'ignored',
      signal: late,
    });
    return status >= 200 && status < 300 ? undefined : `The receiver answered with status ${status}.`;
  } catch (error) {
    if (late.aborted) return `The receiver did not answer within ${MAX_REQUEST_MS / 1000} s.`;
    if (error instanceof OutboundError) return error.message;
    logger.error({ projectID, position: event.position, error: errorMessage(error) }, 'event could not be sent');
    return 'The event could not be sent. An operator can look for its position in the log of the connectors.';
  }
}
