/** The keys for Temporal payloads: the first one encrypts, every key decrypts. */

export interface KeyRing {
  /** The name of the encrypting key. */
  readonly current: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

const KEY_BYTES = 32;
const KEY = /^([A-Za-z0-9._-]{1,64})=([A-Za-z0-9+/]{43}=)$/;

/** `name=base64` for each key, separated by commas or white space; undefined for any other text. */
export function readKeyRing(text: string): KeyRing | undefined {
  const entries = text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry) => KEY.exec(entry));
  const keys = new Map<string, Buffer>();
  for (const entry of entries) {
    if (entry === null || keys.has(entry[1]!)) return undefined;
    keys.set(entry[1]!, Buffer.from(entry[2]!, 'base64'));
  }
  const [current] = keys.keys();
  return current !== undefined && [...keys.values()].every(({ length }) => length === KEY_BYTES)
    ? { current, keys }
    : undefined;
}
