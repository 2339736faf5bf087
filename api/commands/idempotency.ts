import { canonicalJson } from '@perdure/lib/canonical-json.js';
import { sha256 } from '@perdure/lib/sha256.js';

/** The fingerprint of a request: a repeated key with an equal fingerprint is a repeated request. */
export function requestFingerprint(path: string, body: unknown): string {
  return sha256(`${path}\n${canonicalJson(body)}`);
}
