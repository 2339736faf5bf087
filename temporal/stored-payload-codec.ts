/**
 * Stores values in Postgres that are too large for Temporal, and sends a reference with the digest instead. It runs
 * after the encryption, so the stored values are encrypted if the host encrypts. Values that belong to no instance stay
 * as they are: nothing would delete them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Payload, PayloadCodec } from '@temporalio/common';
import protocol from '@temporalio/proto';
import {
  loadPayload,
  storePayload,
  UnavailablePayload,
  type PayloadAddress,
  type PayloadOwner,
} from '../store/steps/stored-payloads.js';
import { staysInWorker } from '../workflows/local-input.js';
import { payloadOwner } from './payload-owner.js';
import type { Database } from '../store/sql/database.js';

/** Far below 2 MiB, at which Temporal terminates workflows, and 512 KiB, at which it starts to warn. */
export const MAX_INLINE_PAYLOAD_BYTES = 128 * 1024;

/** Part of histories: must never change. */
const ENCODING = 'json/stored';
/** A workflow task has ten seconds. A value that does not arrive in time fails the task, and Temporal retries it. */
const PATIENCE_MS = 8_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 1_000;
const { Payload: payloadFormat } = protocol.temporal.api.common.v1;

export class StoredPayloadCodec implements PayloadCodec {
  readonly #store: Database;

  constructor(store: Database) {
    this.#store = store;
  }

  /** @throws when Postgres does not respond */
  async encode(payloads: Payload[]): Promise<Payload[]> {
    const owner = payloadOwner();
    if (!owner) return payloads;
    const encoded: Payload[] = [];
    for (const payload of payloads) encoded.push(isLarge(payload) ? await this.#keep(payload, owner) : payload);
    return encoded;
  }

  /** @throws when a value is not in Postgres, or Postgres does not respond */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    const decoded: Payload[] = [];
    for (const payload of payloads) decoded.push(isClaim(payload) ? await this.#fetch(payload) : payload);
    return decoded;
  }

  async #keep(payload: Payload, owner: PayloadOwner): Promise<Payload> {
    const content = payloadFormat.encode(payload).finish();
    const address = await patiently(() => storePayload(this.#store, owner, content));
    if (!address) return payload;
    return {
      metadata: { encoding: Buffer.from(ENCODING) },
      data: Buffer.from(JSON.stringify({ ...address, bytes: content.length })),
    };
  }

  async #fetch(claim: Payload): Promise<Payload> {
    const address = JSON.parse(Buffer.from(claim.data ?? []).toString()) as PayloadAddress;
    return payloadFormat.decode(await patiently(() => loadPayload(this.#store, address)));
  }
}

function isLarge(payload: Payload): boolean {
  return (payload.data?.length ?? 0) > MAX_INLINE_PAYLOAD_BYTES && !staysInWorker(payload);
}

function isClaim({ metadata }: Payload): boolean {
  const encoding = metadata?.['encoding'];
  return encoding !== undefined && encoding !== null && Buffer.from(encoding).toString() === ENCODING;
}

/** Retries until it succeeds, its time limit ends, or it cannot succeed. */
async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof UnavailablePayload || performance.now() + pause > until) throw error;
      await delay(pause);
    }
  }
}
