/** The signature of a token (RFC 7515, RFC 7518), verified on every request. */
import crypto, { constants, type KeyObject } from 'node:crypto';
import type { Algorithm } from '../settings/issuer-settings.js';
import type { UnverifiedToken } from '../token.js';

/** `hash` is null for algorithms that hash by themselves. */
interface Method {
  readonly hash: string | null;
  readonly options?: Readonly<Record<string, number | string>>;
}

/** Not DER: R and S one after the other (RFC 7518 section 3.4). */
const ecdsa = { dsaEncoding: 'ieee-p1363' };
/** The salt is as long as the hash (RFC 7518 section 3.5). */
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };

const methods: Readonly<Record<Algorithm, Method>> = {
  RS256: { hash: 'sha256' },
  RS384: { hash: 'sha384' },
  RS512: { hash: 'sha512' },
  PS256: { hash: 'sha256', options: pss },
  PS384: { hash: 'sha384', options: pss },
  PS512: { hash: 'sha512', options: pss },
  ES256: { hash: 'sha256', options: ecdsa },
  ES384: { hash: 'sha384', options: ecdsa },
  ES512: { hash: 'sha512', options: ecdsa },
  EdDSA: { hash: null },
  Ed25519: { hash: null },
};

/**
 * Whether the token's signature is valid under one of the keys. More than one key fits only when the token names none,
 * or the provider gave two keys one id.
 * @param token its algorithm is allowed
 * @param keys they are for this algorithm
 */
export function hasValidSignature({ text, algorithm }: UnverifiedToken, keys: readonly KeyObject[]): boolean {
  const { hash, options } = methods[algorithm as Algorithm];
  const end = text.lastIndexOf('.');
  const signed = Buffer.from(text.slice(0, end), 'latin1');
  const signature = Buffer.from(text.slice(end + 1), 'base64url');
  return keys.some(
    (key) => hasLengthOf(key, signature) && crypto.verify(hash, signed, options ? { key, ...options } : key, signature),
  );
}

/** An RSA signature is as long as its key (RFC 8017 section 8.1.2). OpenSSL accepts one of PSS without its leading zeros. */
function hasLengthOf({ asymmetricKeyDetails }: KeyObject, signature: Buffer): boolean {
  const bits = asymmetricKeyDetails?.modulusLength;
  return bits === undefined || signature.length === Math.ceil(bits / 8);
}
