/** Identifies the caller from nothing but the bearer token and the keys of its issuer. */
import type { Logger } from 'pino';
import { reservedPrefixOf } from '../../store/audit/machine-actors.js';
import type { ReadinessCheck } from '../contract/readiness.js';
import type { Caller } from './caller.js';
import { callerFromClaims } from './claims.js';
import type { Claims } from './claims.js';
import type { AccessConfiguration } from './settings/configuration.js';
import type { IssuerConfiguration } from './settings/issuer-configuration.js';
import { createKeySet, defaultKeySetTimes } from './keys/key-set.js';
import type { KeySet, KeySetTimes } from './keys/key-set.js';
import { hasValidSignature } from './keys/signature.js';
import { readBearerToken } from './token.js';
import type { UnverifiedToken } from './token.js';
import { expired, issuedInTheFuture, refusalOfClaims } from './validation.js';

/** The result of validating a token. `reason` is for the audit log; `description` may be shown to the caller. */
export type Authentication =
  | { readonly kind: 'accepted'; readonly caller: Caller }
  | { readonly kind: 'refused'; readonly reason: string; readonly description: string }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterSeconds: number };

export interface Authenticator {
  readonly projectAliases: ReadonlyMap<string, string>;
  /** @param authorization the value of the Authorization header */
  authenticate(authorization: string): Promise<Authentication>;
  /** Ready when the keys of every issuer are available. */
  readonly readiness: ReadinessCheck;
}

export const invalidToken = 'The access token is not valid';
export const expiredToken = 'The access token expired';
export const futureToken = 'The access token was issued in the future';

interface TrustedIssuer {
  readonly configuration: IssuerConfiguration;
  readonly keys: KeySet;
}

export function createAuthenticator(
  configuration: AccessConfiguration,
  logger: Logger,
  times: KeySetTimes = defaultKeySetTimes,
): Authenticator {
  const { issuers, projectAliases } = configuration;
  const trusted = new Map<string, TrustedIssuer>(
    issuers.map((issuer) => [issuer.issuer, { configuration: issuer, keys: createKeySet(issuer, logger, times) }]),
  );
  return {
    projectAliases,
    async authenticate(authorization) {
      const reading = readBearerToken(authorization);
      if (reading.kind === 'malformed') return refused(reading.reason);
      const issuer = trusted.get(reading.token.issuer);
      if (issuer === undefined) return refused('the issuer is not one of the configured ones');
      const verified = await verify(reading.token, issuer);
      if (verified.kind !== 'verified') return verified;
      const subject = subjectOf(verified.claims.sub as string, issuer.configuration, issuers);
      if (subject === undefined) return refused('the subject begins with the prefix of another issuer');
      const reserved = reservedPrefixOf(subject);
      if (reserved !== undefined) return refusedName(reserved);
      return {
        kind: 'accepted',
        caller: callerFromClaims(verified.claims, subject, issuer.configuration, projectAliases),
      };
    },
    readiness: {
      name: 'keys',
      publicMessage: 'The signing keys of an issuer cannot be fetched',
      async check() {
        const available = await Promise.all([...trusted.values()].map(({ keys }) => keys.isAvailable()));
        const missing = issuers.filter((_, index) => !available[index]).map(({ issuer }) => issuer);
        return missing.length === 0
          ? undefined
          : `Cannot fetch signing keys from ${missing.join(', ')}. Check that this host can reach the issuer.`;
      },
    },
  };
}

type Verification =
  { readonly kind: 'verified'; readonly claims: Claims } | Exclude<Authentication, { kind: 'accepted' }>;

async function verify(token: UnverifiedToken, { configuration, keys }: TrustedIssuer): Promise<Verification> {
  if (!configuration.algorithms.some((algorithm) => algorithm === token.algorithm)) {
    return refused('the algorithm is not in the allow-list');
  }
  if (!configuration.headerTypes.includes(token.headerType))
    return refused('the typ header is not that of an access token');
  const lookup = await keys.find(token.keyID, token.algorithm);
  if (lookup.kind === 'unavailable') {
    return {
      kind: 'unavailable',
      reason: 'the keys of the issuer are unavailable',
      retryAfterSeconds: lookup.retryAfterSeconds,
    };
  }
  if (lookup.kind === 'unknown') return refused('no key of the issuer matches the kid and alg headers');
  if (!hasValidSignature(token, lookup.keys)) return refused('the signature does not verify');
  const reason = refusalOfClaims(token.claims, configuration, Math.floor(Date.now() / 1000));
  return reason === undefined ? { kind: 'verified', claims: token.claims } : refused(reason, descriptions.get(reason));
}

/** Otherwise a token could act under the name of a hook or of the connectors. */
function refusedName(prefix: string): Authentication & { kind: 'refused' } {
  return refused(
    `the subject begins with ${prefix}, which is reserved for the host`,
    `The access token is not valid: its subject begins with "${prefix}", which is reserved. Rename the account at the identity provider.`,
  );
}

/** Refusals whose reason the caller learns. */
const descriptions: ReadonlyMap<string, string> = new Map([
  [expired, expiredToken],
  [issuedInTheFuture, futureToken],
]);

function refused(reason: string, description: string = invalidToken): Authentication & { kind: 'refused' } {
  return { kind: 'refused', reason, description };
}

/**
 * The identity of the caller; undefined when an issuer without a prefix issued a subject with the prefix of another
 * issuer.
 */
function subjectOf(
  sub: string,
  issuer: IssuerConfiguration,
  issuers: readonly IssuerConfiguration[],
): string | undefined {
  if (issuer.subjectPrefix !== '') return issuer.subjectPrefix + sub;
  const pretends = issuers.some((other) => other.subjectPrefix !== '' && sub.startsWith(other.subjectPrefix));
  return pretends ? undefined : sub;
}
