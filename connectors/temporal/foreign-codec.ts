/**
 * Payloads that Perdure exchanges with workers of others. A payload that cannot be read becomes a value that says so:
 * an error would repeat the workflow task that reads it forever.
 */
import type { Payload, PayloadCodec } from '@temporalio/common';
import type { Json } from '@perdure/engine/contract/json.js';

/** The only member of the value that replaces an unreadable one: the reason. */
export const UNREADABLE = 'perdure:unreadable';

export class ForeignCodec implements PayloadCodec {
  /** @param encryption undefined if the others do not know our keys */
  constructor(private readonly encryption: PayloadCodec | undefined) {}

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return this.encryption ? this.encryption.encode(payloads) : payloads;
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.all(payloads.map((payload) => this.#decode(payload)));
  }

  async #decode(payload: Payload): Promise<Payload> {
    try {
      const [decoded] = this.encryption ? await this.encryption.decode([payload]) : [payload];
      return readable(decoded!);
    } catch (error) {
      return unreadable(error instanceof Error ? error.message : String(error));
    }
  }
}

function readable(payload: Payload): Payload {
  const encoding = encodingOf(payload);
  if (encoding === 'binary/null') return payload;
  if (encoding !== 'json/plain') return unreadable(`its encoding is ${encoding}`);
  JSON.parse(Buffer.from(payload.data ?? []).toString());
  return payload;
}

function encodingOf({ metadata }: Payload): string {
  const encoding = metadata?.['encoding'];
  return encoding ? Buffer.from(encoding).toString() : 'missing';
}

/** Why the payload could not be read that this value replaces; undefined for any other value. */
export function unreadableReason(value: Json | undefined): string | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const reason = value[UNREADABLE];
  return typeof reason === 'string' && Object.keys(value).length === 1 ? reason : undefined;
}

function unreadable(reason: string): Payload {
  return {
    metadata: { encoding: Buffer.from('json/plain') },
    data: Buffer.from(JSON.stringify({ [UNREADABLE]: reason.slice(0, 500) })),
  };
}
