/** The rules on claims that jose leaves open (it accepts a future `iat` and a `sub` of any type unless told otherwise). */
import type { Claims } from './claims.js';
import type { IssuerConfiguration } from './configuration.js';

const longestSubject = 255;

/** The one refusal besides expiry that the caller is told about: only the caller's side can mend the clocks. */
export const issuedInTheFuture = 'the iat claim lies in the future: the clocks of issuer and host differ';

/**
 * Why the claims of a token with a valid signature are refused, or undefined.
 *
 * @param now seconds since the epoch
 */
export function refusalOfClaims(claims: Claims, issuer: IssuerConfiguration, now: number): string | undefined {
  return refusalOfSubject(claims) ?? refusalOfTimes(claims, issuer, now) ?? refusalOfKind(claims, issuer) ?? refusalOfParty(claims, issuer);
}

function refusalOfSubject({ sub, aud }: Claims): string | undefined {
  // Prints on one log line, fits an index row, and cannot be confused with another spelling of itself.
  if (typeof sub !== 'string' || !/^[^\p{Cc}\p{Surrogate}]+$/u.test(sub) || sub.length > longestSubject) {
    return `the sub claim is no string of 1 to ${longestSubject} characters without control characters`;
  }
  const audiences = Array.isArray(aud) ? aud : [aud];
  return audiences.every((audience) => typeof audience === 'string') ? undefined : 'the aud claim holds something other than strings';
}

function refusalOfTimes({ iat, exp, nbf }: Claims, issuer: IssuerConfiguration, now: number): string | undefined {
  if (!isTime(iat) || !isTime(exp) || !(nbf === undefined || isTime(nbf))) return 'the iat, exp or nbf claim is not a finite number of seconds since 1970';
  if (iat > now + issuer.clockToleranceSeconds) return issuedInTheFuture;
  const oldest = issuer.maximumTokenAgeSeconds;
  if (oldest !== undefined && iat < now - oldest - issuer.clockToleranceSeconds) return 'the token is older than accepted';
  return undefined;
}

/** JSON can say 1e400, which is read as Infinity: such a token would never expire. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

/** Signed by the same issuer, but made for something else: ID, refresh, logout and sender-constrained tokens. */
function refusalOfKind(claims: Claims, issuer: IssuerConfiguration): string | undefined {
  const mark = issuer.idTokenClaims.find((name) => Object.hasOwn(claims, name));
  if (mark !== undefined) return `an ID token: it has the claim ${mark}`;
  const expected = issuer.payloadType;
  const { typ, token_use: use } = claims;
  if (expected !== null && typ !== expected) return `the typ claim is not ${expected}`;
  if (expected === null && typ !== undefined && typ !== 'Bearer') return 'the typ claim is not that of an access token';
  if (use !== undefined && use !== 'access') return 'the token_use claim is not that of an access token';
  if (Object.hasOwn(claims, 'events')) return 'a logout or event token';
  // RFC 9449 section 7.2, RFC 8705 section 3: such a token needs a proof that a bearer header does not carry.
  if (Object.hasOwn(claims, 'cnf')) return 'the token is bound to a key of its client and cannot be used as a bearer token';
  return undefined;
}

function refusalOfParty({ azp, client_id: clientID }: Claims, issuer: IssuerConfiguration): string | undefined {
  if (issuer.authorizedParties === undefined) return undefined;
  const party = azp ?? clientID;
  return typeof party === 'string' && issuer.authorizedParties.includes(party) ? undefined : 'the client is not one of the authorized parties';
}
