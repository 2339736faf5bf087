/** Signatures of webhooks (Standard Webhooks 1.0.0, symmetric scheme `v1`). */
import { createHmac } from 'node:crypto';

export interface SignedMessage {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: Buffer;
}

const PREFIX = 'whsec_';

/** @param secret `whsec_` and the key in base64; any other text is the key itself */
export function signatureOf(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}
