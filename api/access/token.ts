/**
 * The cheap check of a token, before any key is fetched: form, size, algorithm, issuer. It stops a flood of invalid
 * tokens. None of these values is trusted before the signature of this very text is known to be valid; until then, they
 * only select the key.
 */
import type { Claims } from './claims.js';

export interface UnverifiedToken {
  readonly text: string;
  readonly algorithm: string;
  readonly keyID: string | undefined;
  /** The `typ` header in lower case, or '' if absent. */
  readonly headerType: string;
  readonly issuer: string;
  readonly claims: Claims;
}

export type TokenReading =
  { readonly kind: 'token'; readonly token: UnverifiedToken } | { readonly kind: 'malformed'; readonly reason: string };

/** Node already refuses headers above 16 KiB; this limit covers other entry points. */
const maxTokenLength = 16 * 1024;
const maxKeyIDLength = 512;

const bearer = /^bearer +([^ ]+)$/i;
/** Three parts of unpadded base64url: a JWS in compact form, never a JWE (five parts). */
const compactForm = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+$/;

/** Reads `Authorization: Bearer <token>`; the scheme's case does not matter (RFC 9110 section 11.1). */
export function readBearerToken(authorization: string): TokenReading {
  const text = bearer.exec(authorization)?.[1];
  if (text === undefined) return malformed('the Authorization header is not "Bearer <token>"');
  if (text.length > maxTokenLength) return malformed('the token is longer than 16 KiB');
  const parts = compactForm.exec(text);
  if (parts === null) return malformed('the token is not a signed JWT of three base64url parts');
  const header = decodeObject(parts[1] as string);
  const payload = decodeObject(parts[2] as string);
  if (header === undefined || payload === undefined) return malformed('the token does not hold two JSON objects');
  return readParts(text, header, payload);
}

function readParts(text: string, header: Record<string, unknown>, payload: Record<string, unknown>): TokenReading {
  const { alg, kid, typ } = header;
  if (typeof alg !== 'string') return malformed('the alg header is not a string');
  if (kid !== undefined && (typeof kid !== 'string' || kid.length > maxKeyIDLength)) {
    return malformed('the kid header is not a string, or is too long');
  }
  if (typ !== undefined && typeof typ !== 'string') return malformed('the typ header is not a string');
  if (Object.hasOwn(header, 'crit')) return malformed('the token requires unknown extensions (crit)');
  if (typeof payload['iss'] !== 'string') return malformed('the iss claim is not a string');
  return {
    kind: 'token',
    token: {
      text,
      algorithm: alg,
      keyID: kid,
      headerType: (typ ?? '').toLowerCase(),
      issuer: payload['iss'],
      claims: payload,
    },
  };
}

function malformed(reason: string): TokenReading {
  return { kind: 'malformed', reason };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(Buffer.from(part, 'base64url')));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
