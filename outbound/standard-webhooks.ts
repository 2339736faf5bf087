/** Signatures of webhooks (Standard Webhooks 1.0.0, symmetric scheme `v1`): of the events sent and of the hooks received. */
import { createHmac } from 'node:crypto';

export interface SignedMessage {
  /** One character per byte, as in a header. */
  id: string;
  /** Seconds since 1970. */
  timestamp: number | string;
  body: Uint8Array;
}

/** A shorter key can be guessed. */
export const MIN_KEY_BYTES = 16;

/** Node decodes any text, without the characters that are not base64. */
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * @param secret the key in base64, with or without `whsec_`, as the libraries of Standard Webhooks take it
 * @returns undefined if the secret is not base64, or the key has fewer than `MIN_KEY_BYTES`
 */
export function keyOf(secret: string): Buffer | undefined {
  const text = secret.replace(/^whsec_/, '');
  const key = Buffer.from(text, 'base64');
  return BASE64.test(text) && key.length >= MIN_KEY_BYTES ? key : undefined;
}

/** One entry of the header `webhook-signature`. */
export function signatureOf(key: Buffer, { id, timestamp, body }: SignedMessage): string {
  const signed = Buffer.from(`${id}.${timestamp}.`, 'latin1');
  return `v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`;
}
