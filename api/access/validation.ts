/** The rules on the claims of a token with a valid signature. All of them are checked on every request. */
import type { Claims } from './claims.js';
import type { IssuerConfiguration } from './settings/issuer-configuration.js';

const maxSubjectLength = 255;

/** The caller learns these two reasons: a token can be renewed, and only the caller's side can correct the clocks. */
export const expired = 'the token expired';
export const issuedInTheFuture = 'the iat claim is in the future: the clocks of issuer and host differ';

/**
 * Why the claims of a token with a valid signature are refused, or undefined.
 *
 * @param now seconds since the epoch
 */
export function refusalOfClaims(claims: Claims, issuer: IssuerConfiguration, now: number): string | undefined {
  return (
    refusalOfIssuer(claims, issuer) ??
    refusalOfAudience(claims, issuer) ??
    refusalOfTimes(claims, issuer, now) ??
    refusalOfSubject(claims) ??
    refusalOfKind(claims, issuer) ??
    refusalOfParty(claims, issuer)
  );
}

function refusalOfIssuer({ iss }: Claims, { issuer }: IssuerConfiguration): string | undefined {
  return iss === issuer ? undefined : 'the iss claim names another issuer';
}

function refusalOfAudience({ aud }: Claims, issuer: IssuerConfiguration): string | undefined {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.every((audience) => typeof audience === 'string'))
    return 'the aud claim contains a value that is not a string';
  return audiences.some((audience) => issuer.audiences.includes(audience))
    ? undefined
    : 'the aud claim names none of the configured audiences';
}

function refusalOfTimes({ iat, exp, nbf }: Claims, issuer: IssuerConfiguration, now: number): string | undefined {
  if (!isTime(iat) || !isTime(exp) || !(nbf === undefined || isTime(nbf)))
    return 'the iat, exp or nbf claim is not a finite number of seconds since 1970';
  const { clockToleranceSeconds: tolerance, maximumTokenAgeSeconds: oldest } = issuer;
  if (exp <= now - tolerance) return expired;
  if (nbf !== undefined && nbf > now + tolerance) return 'the token is not valid yet';
  if (iat > now + tolerance) return issuedInTheFuture;
  return oldest !== undefined && iat < now - oldest - tolerance ? 'the token is older than the maximum age' : undefined;
}

function refusalOfSubject({ sub }: Claims): string | undefined {
  // Fits on one log line and in an index row, and has exactly one spelling.
  const isUsable = typeof sub === 'string' && /^[^\p{Cc}\p{Surrogate}]+$/u.test(sub) && sub.length <= maxSubjectLength;
  return isUsable
    ? undefined
    : `the sub claim is not a string of 1 to ${maxSubjectLength} characters without control characters`;
}

/** JSON allows 1e400, which parses as Infinity: such a token would never expire. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

/** Tokens of the same issuer for another purpose: ID, refresh, logout, and sender-constrained tokens. */
function refusalOfKind(claims: Claims, issuer: IssuerConfiguration): string | undefined {
  const mark = issuer.idTokenClaims.find((name) => Object.hasOwn(claims, name));
  if (mark !== undefined) return `an ID token: it has the claim ${mark}`;
  const expected = issuer.payloadType;
  const { typ, token_use: use } = claims;
  if (expected !== null && typ !== expected) return `the typ claim is not ${expected}`;
  if (expected === null && typ !== undefined && typ !== 'Bearer') return 'the typ claim is not that of an access token';
  if (use !== undefined && use !== 'access') return 'the token_use claim is not that of an access token';
  if (Object.hasOwn(claims, 'events')) return 'a logout or event token';
  // RFC 9449 section 7.2, RFC 8705 section 3: such a token needs a proof, which a bearer header does not carry.
  if (Object.hasOwn(claims, 'cnf'))
    return 'the token is bound to a key of its client and cannot be used as a bearer token';
  return undefined;
}

function refusalOfParty({ azp, client_id: clientID }: Claims, issuer: IssuerConfiguration): string | undefined {
  if (issuer.authorizedParties === undefined) return undefined;
  const party = azp ?? clientID;
  return typeof party === 'string' && issuer.authorizedParties.includes(party)
    ? undefined
    : 'the client is not one of the authorized parties';
}
