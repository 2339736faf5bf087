/** Encrypts everything that Temporal stores: AES-256-GCM, with the name of the key next to the ciphertext. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import protocol from '@temporalio/proto';
import { markOf } from '../workflows/local-input.js';
import type { KeyRing } from './key-ring.js';

const ENCODING = 'binary/encrypted';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const { Payload: payloadFormat } = protocol.temporal.api.common.v1;

/** Unencrypted payloads, which are older than the encryption, are read as they are. */
export class EncryptionCodec implements PayloadCodec {
  readonly #keyRing: KeyRing;

  constructor(keyRing: KeyRing) {
    this.#keyRing = keyRing;
  }

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => this.#encrypt(payload));
  }

  /** @throws when a payload was encrypted with a key that is not in the ring, or was modified since */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => (textOf(payload, 'encoding') === ENCODING ? this.#decrypt(payload) : payload));
  }

  #encrypt(payload: Payload): Payload {
    const { current, keys } = this.#keyRing;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, keys.get(current)!, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(current));
    const content = Buffer.concat([cipher.update(payloadFormat.encode(payload).finish()), cipher.final()]);
    return {
      metadata: {
        encoding: Buffer.from(ENCODING),
        'encryption-cipher': Buffer.from(CIPHER),
        'encryption-key-id': Buffer.from(current),
        ...markOf(payload),
      },
      data: Buffer.concat([nonce, cipher.getAuthTag(), content]),
    };
  }

  #decrypt(payload: Payload): Payload {
    const keyID = textOf(payload, 'encryption-key-id') ?? '';
    const key = this.#keyRing.keys.get(keyID);
    if (key === undefined) {
      throw new Error(
        `Cannot decrypt a Temporal payload: key ${JSON.stringify(keyID)} is not configured (configured: ${[...this.#keyRing.keys.keys()].join(', ')}). Append it to TEMPORAL_PAYLOAD_KEYS, after the current key.`,
      );
    }
    const data = Buffer.from(payload.data ?? []);
    const decipher = createDecipheriv(CIPHER, key, data.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(keyID));
    decipher.setAuthTag(data.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return payloadFormat.decode(
      Buffer.concat([decipher.update(data.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]),
    );
  }
}

function textOf({ metadata }: Payload, name: string): string | undefined {
  const value = metadata?.[name];
  return value ? Buffer.from(value).toString() : undefined;
}
