/**
 * Signatures of tokens. Verifying one costs as much as everything else about a request's token a dozen times over,
 * and a client sends the same token for minutes, so signatures that were good are remembered.
 *
 * Only that is remembered: under each key, the digests of the whole texts that it has verified. Claims, times and
 * rights are read from the token again on every request. A refreshed key set consists of new key objects, so what was
 * remembered under the former ones ends with them: a removed key stops its tokens at the refresh.
 */
import { hash, type KeyObject } from 'node:crypto';
import { compactVerify, errors } from 'jose';
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
import type { UnverifiedToken } from '../token.js';

export interface Signatures {
  /** Why none of the keys makes the token's signature good; undefined when one does. */
  refusalOf(token: UnverifiedToken, keys: readonly KeyObject[]): Promise<string | undefined>;
}

/** About 1 MB of digests: tokens that are in use at one time, by far. */
const maxPerKey = 10_000;

const wrongSignature = 'the signature does not verify';

/** @param most how many signatures are remembered under a key; the oldest go first */
export function createSignatures(most = maxPerKey): Signatures {
  const verified = new WeakMap<KeyObject, BoundedCache<string, true>>();

  function remember(key: KeyObject, digest: string): void {
    const digests = verified.get(key) ?? new BoundedCache({ entries: most });
    digests.set(digest, true);
    verified.set(key, digests);
  }

  return {
    async refusalOf(token, keys) {
      // Of the whole text: another spelling of the same signature is another token here.
      const digest = hash('sha256', token.text, 'base64');
      if (keys.some((key) => verified.get(key)?.get(digest))) return undefined;
      // More than one key fits only when the token names none, or the provider gave two keys one id.
      for (const key of keys) {
        const refusal = await refusalByKey(token, key);
        if (refusal === undefined) remember(key, digest);
        if (refusal !== wrongSignature) return refusal;
      }
      return wrongSignature;
    },
  };
}

async function refusalByKey(token: UnverifiedToken, key: KeyObject): Promise<string | undefined> {
  try {
    await compactVerify(token.text, key, { algorithms: [token.algorithm] });
    return undefined;
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return wrongSignature;
    if (error instanceof errors.JOSEError || error instanceof TypeError) return `jose: ${error.message}`;
    throw error;
  }
}
