/** The keys that payloads for Temporal are encrypted with: the first one encrypts, every one decrypts. */

export interface KeyRing {
  /** Name of the key that encrypts. */
  readonly current: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

const KEY_BYTES = 32;
const KEY = /^([A-Za-z0-9._-]{1,64})=([A-Za-z0-9+/]{43}=)$/;

/** `name=base64` for each key, separated by commas or white space; undefined when the text is anything else. */
export function readKeyRing(text: string): KeyRing | undefined {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '').map((entry) => KEY.exec(entry));
  const keys = new Map<string, Buffer>();
  for (const entry of entries) {
    if (entry === null || keys.has(entry[1]!)) return undefined;
    keys.set(entry[1]!, Buffer.from(entry[2]!, 'base64'));
  }
  const [current] = keys.keys();
  return current !== undefined && [...keys.values()].every(({ length }) => length === KEY_BYTES) ? { current, keys } : undefined;
}
