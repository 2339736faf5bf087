/** Reads a JSON Web Key Set (RFC 7517): the keys that can verify access tokens, and their algorithms. */
import { createPublicKey } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';

export interface VerificationKey {
  readonly keyID: string | undefined;
  readonly key: KeyObject;
  /** Whether the key can verify a signature of this algorithm. */
  fits(algorithm: string): boolean;
}

const maxKeys = 100;
const shortestModulusBits = 2048;

const curveAlgorithms: Readonly<Record<string, readonly string[]>> = {
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  'P-521': ['ES512'],
  Ed25519: ['EdDSA', 'Ed25519'],
};
const rsaAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];

/**
 * The usable keys of the document; undefined when it is not a key set or has no usable key, so that the previous keys
 * stay.
 */
export function readKeyDocument(text: string): readonly VerificationKey[] | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  const keys = typeof document === 'object' && document !== null && 'keys' in document ? document.keys : undefined;
  if (!Array.isArray(keys) || keys.length > maxKeys) return undefined;
  const usable = keys.map(readKey).filter((key) => key !== undefined);
  return usable.length > 0 ? usable : undefined;
}

/** Private, symmetric, encryption-only, short, and malformed keys are skipped. */
function readKey(jwk: unknown): VerificationKey | undefined {
  if (typeof jwk !== 'object' || jwk === null) return undefined;
  const { kty, kid, use, key_ops: operations, alg, crv, d, k } = jwk as Record<string, unknown>;
  if (d !== undefined || k !== undefined) return undefined;
  if (kid !== undefined && typeof kid !== 'string') return undefined;
  if (use !== undefined && use !== 'sig') return undefined;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return undefined;
  const algorithms =
    kty === 'RSA'
      ? rsaAlgorithms
      : typeof crv === 'string' && (kty === 'EC' || kty === 'OKP')
        ? curveAlgorithms[crv]
        : undefined;
  const key = algorithms && importKey(jwk as JsonWebKey);
  if (algorithms === undefined || key === undefined) return undefined;
  return {
    keyID: kid,
    key,
    fits: (algorithm) => algorithms.includes(algorithm) && (alg === undefined || sameAlgorithm(alg, algorithm)),
  };
}

function importKey(jwk: JsonWebKey): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const bits = key.asymmetricKeyDetails?.modulusLength;
    return bits === undefined || bits >= shortestModulusBits ? key : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 9864 renames EdDSA on the curve Ed25519 to Ed25519. */
function sameAlgorithm(declared: unknown, algorithm: string): boolean {
  const name = (word: unknown) => (word === 'EdDSA' ? 'Ed25519' : word);
  return name(declared) === name(algorithm);
}
