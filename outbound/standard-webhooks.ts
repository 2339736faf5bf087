/** Signatures of webhooks (Standard Webhooks 1.0.0, symmetric scheme `v1`): of the events sent and of the hooks received. */
import { createHmac } from 'node:crypto';

export interface SignedMessage {
  /** As a header has it: one character per byte. */
  id: string;
  /** Seconds since 1970. */
  timestamp: number | string;
  body: Uint8Array;
}

/** A secret that is not base64 is decoded to a short key, or to none, with which everyone could sign. */
export const LEAST_KEY_BYTES = 16;

/**
 * @param secret the key in base64, with or without `whsec_`, as the libraries of Standard Webhooks take it
 * @returns undefined if the key has fewer than `LEAST_KEY_BYTES`
 */
export function keyOf(secret: string): Buffer | undefined {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return key.length < LEAST_KEY_BYTES ? undefined : key;
}

/** One entry of the header `webhook-signature`. */
export function signatureOf(key: Buffer, { id, timestamp, body }: SignedMessage): string {
  const signed = Buffer.from(`${id}.${timestamp}.`, 'latin1');
  return `v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`;
}
