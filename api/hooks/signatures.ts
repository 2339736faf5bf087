/** Verifies that the sender of a delivery knows the secret of the hook. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { keyOf, signatureOf } from '../../outbound/standard-webhooks.js';
import type { HookAuth } from '../../store/hooks/hooks.js';

export interface SignedDelivery {
  /** The value of a header that occurs once, as Node decodes it; undefined otherwise. */
  header(name: string): string | undefined;
  readonly bytes: Uint8Array;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** How far the clock of a sender may differ, as Stripe and Standard Webhooks recommend. */
export const MAX_CLOCK_DIFFERENCE_SECONDS = 300;

/** @param secrets the values of the secret: any of them verifies */
export function isAuthentic(auth: HookAuth, secrets: readonly string[], delivery: SignedDelivery): boolean {
  switch (auth.type) {
    case 'HMAC':
      return hasHmac(auth, secrets, delivery);
    case 'STRIPE':
      return hasStripeSignature(secrets, delivery);
    case 'STANDARD':
      return hasStandardSignature(secrets, delivery);
    case 'HEADER':
      return isAnyEqual([delivery.header(auth.header)], secrets.map(asHeader));
  }
}

/** Recognizes a delivery that comes again. */
export interface DeliveryIdentity {
  readonly key: string;
  /** The time that its signature covers. */
  readonly signedAt: Date;
}

/** Of an authentic delivery; undefined where the signature covers no time, so that it is valid forever. */
export function identityOf({ type }: HookAuth, { header, bytes }: SignedDelivery): DeliveryIdentity | undefined {
  if (type === 'STANDARD') return identified(header('webhook-id')!, header('webhook-timestamp')!);
  if (type !== 'STRIPE') return undefined;
  const [timestamp = ''] = stripeValues(header('stripe-signature'), 't');
  // The signed text, rather than its signature: a header can list others next to it.
  const signed = createHash('sha256').update(`${timestamp}.`).update(bytes).digest('base64url');
  return identified(signed, timestamp);
}

function identified(key: string, timestamp: string): DeliveryIdentity {
  return { key, signedAt: new Date(Number(timestamp) * 1000) };
}

function hasHmac(
  { header, prefix = '', encoding }: HookAuth & { type: 'HMAC' },
  secrets: readonly string[],
  { header: read, bytes }: SignedDelivery,
): boolean {
  const given = read(header);
  if (!given?.startsWith(prefix)) return false;
  const signature = given.slice(prefix.length);
  const signatures = secrets.map((secret) => hmac(secret, [bytes]).toString(encoding));
  return isAnyEqual([encoding === 'hex' ? signature.toLowerCase() : signature], signatures);
}

/** https://docs.stripe.com/webhooks#verify-manually */
function hasStripeSignature(secrets: readonly string[], { header, bytes, now }: SignedDelivery): boolean {
  const valuesOf = (key: string) => stripeValues(header('stripe-signature'), key);
  const [timestamp, ...others] = valuesOf('t');
  if (!isRecent(timestamp, now) || others.length > 0) return false;
  return isAnyEqual(
    valuesOf('v1'),
    secrets.map((secret) => hmac(secret, [`${timestamp}.`, bytes]).toString('hex')),
  );
}

function stripeValues(header: string | undefined, key: string): (string | undefined)[] {
  const parts = (header ?? '').split(',').map((part) => part.trim().split('=', 2));
  return parts.filter(([name]) => name === key).map(([, value]) => value);
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
function hasStandardSignature(secrets: readonly string[], { header, bytes, now }: SignedDelivery): boolean {
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  if (!id || !isRecent(timestamp, now)) return false;
  const keys = secrets.map(keyOf).filter((key) => key !== undefined);
  return isAnyEqual(
    (header('webhook-signature') ?? '').split(' '),
    keys.map((key) => signatureOf(key, { id, timestamp, body: bytes })),
  );
}

function isRecent(timestamp: string | undefined, now: number): timestamp is string {
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(now / 1000 - Number(timestamp)) <= MAX_CLOCK_DIFFERENCE_SECONDS;
}

/** Takes as long as the verification of a wrong signature with a secret of one value. */
export function pretendToVerify(bytes: Uint8Array): void {
  isAnyEqual([''], [hmac('', [bytes]).toString('hex')]);
}

function hmac(key: string, parts: readonly (string | Uint8Array)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** Compares digests, which have one length, and all of them, so that the duration does not depend on the values. */
function isAnyEqual(given: readonly (string | undefined)[], expected: readonly string[]): boolean {
  const digests = expected.map(digest);
  let isEqual = false;
  for (const text of given) {
    if (text === undefined) continue;
    const digestOfText = digest(text);
    for (const other of digests) if (timingSafeEqual(digestOfText, other)) isEqual = true;
  }
  return isEqual;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** As Node decodes the bytes of a header. */
function asHeader(text: string): string {
  return Buffer.from(text).toString('latin1');
}
