import type { HookAuth } from '../../store/hooks/hooks.js';

/** The headers of a delivery as they came over the wire. */
export class DeliveredHeaders {
  /** By names in lower case, in the order of their lines. */
  readonly #lines = new Map<string, string[]>();

  /** @param raw names and values in turn, as Node has them */
  constructor(raw: readonly string[]) {
    for (let index = 0; index + 1 < raw.length; index += 2) {
      const name = raw[index]!.toLowerCase();
      const values = this.#lines.get(name);
      if (values) values.push(raw[index + 1]!);
      else this.#lines.set(name, [raw[index + 1]!]);
    }
  }

  /** Undefined if the header is missing or repeated: receivers would differ on which line counts. */
  only(name: string): string | undefined {
    const values = this.#lines.get(name.toLowerCase());
    return values?.length === 1 ? values[0] : undefined;
  }

  /** Repeated lines are joined, as RFC 9110 section 5.3 says. */
  get all(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#lines].map(([name, values]) => [name, values.join(', ')]));
  }
}

/** All except the one that contains the secret of the hook. */
export function withoutSecret(
  headers: Readonly<Record<string, string>>,
  auth: HookAuth,
): Readonly<Record<string, string>> {
  if (auth.type !== 'HEADER') return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== auth.header.toLowerCase()));
}
