/**
 * The keys of one issuer, current and previous.
 *
 * Vocabulary. *Fresh*: younger than `freshMilliseconds`; used as they are. *Stale*: older, but younger than
 * `staleMilliseconds`; used while a background fetch runs, so a short outage of the provider affects no caller. Older
 * keys are not used: without confirmation by the provider for that long, nothing can be verified (503). *Cooldown*: the
 * minimum time between two fetches that unknown key ids cause, so that invented ids cannot make the host flood its
 * provider. *Back-off*: the growing pause after failed fetches.
 */
import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import type { IssuerConfiguration } from '../settings/issuer-configuration.js';
import { fetchText } from './fetch-text.js';
import { readKeyDocument } from './key-document.js';
import type { VerificationKey } from './key-document.js';
import { isTrustworthyURL } from '@perdure/lib/trust/trustworthy-url.js';

export interface KeySetTimes {
  readonly freshMilliseconds: number;
  readonly staleMilliseconds: number;
  readonly cooldownMilliseconds: number;
  readonly firstBackOffMilliseconds: number;
  readonly maxBackOffMilliseconds: number;
  readonly fetchTimeoutMilliseconds: number;
}

export const defaultKeySetTimes: KeySetTimes = {
  freshMilliseconds: 10 * 60_000,
  staleMilliseconds: 6 * 60 * 60_000,
  cooldownMilliseconds: 10_000,
  firstBackOffMilliseconds: 1_000,
  maxBackOffMilliseconds: 30_000,
  fetchTimeoutMilliseconds: 5_000,
};

const maxDocumentBytes = 512 * 1024;

export type KeyLookup =
  | { readonly kind: 'found'; readonly keys: readonly KeyObject[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unavailable'; readonly retryAfterSeconds: number };

export interface KeySet {
  /** The keys that could verify such a signature: those with that id, or all that match when the token names none. */
  find(keyID: string | undefined, algorithm: string): Promise<KeyLookup>;
  /** Whether tokens of this issuer can be verified now; fetches the keys if necessary. */
  isAvailable(): Promise<boolean>;
}

/** @param now milliseconds of a monotonic clock */
export function createKeySet(
  issuer: Pick<IssuerConfiguration, 'issuer' | 'jwksURI'>,
  logger: Logger,
  times: KeySetTimes = defaultKeySetTimes,
  now: () => number = () => performance.now(),
): KeySet {
  let keys: readonly VerificationKey[] = [];
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  let discoveredURI: string | undefined;

  const age = () => now() - fetchedAt;

  async function fetchKeys(): Promise<void> {
    try {
      const uri = issuer.jwksURI ?? (discoveredURI ??= await discoverKeysURI(issuer.issuer, times));
      const read = readKeyDocument(await fetchText(uri, limits(times)));
      if (read === undefined) throw new Error('the document is not a key set with a usable public key');
      keys = read;
      fetchedAt = now();
      failures = 0;
      notBefore = fetchedAt + times.cooldownMilliseconds;
    } catch (error) {
      // The provider may have moved its keys, so the next fetch reads its discovery document again.
      discoveredURI = undefined;
      const pause = Math.min(times.firstBackOffMilliseconds * 2 ** failures, times.maxBackOffMilliseconds);
      failures += 1;
      notBefore = now() + pause;
      logger.warn(
        { event: 'key-fetch-failed', issuer: issuer.issuer, failures, reason: errorMessage(error) },
        'cannot fetch the keys of the issuer',
      );
    }
  }

  /** At most one fetch at a time, and none during a cooldown or back-off. */
  function refresh(): Promise<void> {
    if (running !== undefined) return running;
    if (now() < notBefore) return Promise.resolve();
    running = fetchKeys().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function makeUsable(): Promise<boolean> {
    if (age() >= times.staleMilliseconds) await refresh();
    else if (age() >= times.freshMilliseconds) void refresh();
    return age() < times.staleMilliseconds;
  }

  function unavailable(): KeyLookup {
    return { kind: 'unavailable', retryAfterSeconds: Math.max(1, Math.ceil((notBefore - now()) / 1000)) };
  }

  function select(keyID: string | undefined, algorithm: string): readonly KeyObject[] {
    const fitting = keys.filter((key) => key.fits(algorithm) && (keyID === undefined || key.keyID === keyID));
    return fitting.map(({ key }) => key);
  }

  return {
    async find(keyID, algorithm) {
      if (!(await makeUsable())) return unavailable();
      const known = select(keyID, algorithm);
      if (known.length > 0) return { kind: 'found', keys: known };
      await refresh();
      const fetched = select(keyID, algorithm);
      if (fetched.length > 0) return { kind: 'found', keys: fetched };
      // After a failed fetch, an invented key id is indistinguishable from one that the provider has just started to
      // use.
      return failures > 0 ? unavailable() : { kind: 'unknown' };
    },
    isAvailable: makeUsable,
  };
}

/**
 * The address of the key set by OpenID Connect Discovery 1.0 section 4. The document must be for exactly this issuer.
 */
async function discoverKeysURI(issuer: string, times: KeySetTimes): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document: unknown = JSON.parse(await fetchText(address, limits(times)));
  const { issuer: named, jwks_uri: uri } = (document ?? {}) as Record<string, unknown>;
  if (named !== issuer) throw new Error('the discovery document names another issuer');
  if (typeof uri !== 'string' || !URL.canParse(uri) || !isTrustworthyURL(new URL(uri))) {
    throw new Error('the discovery document has no https jwks_uri');
  }
  // Only an issuer on this machine can point to plain http.
  if (new URL(uri).protocol === 'http:' && new URL(issuer).protocol === 'https:') {
    throw new Error('the discovery document of an https issuer has an http jwks_uri');
  }
  return uri;
}

function limits(times: KeySetTimes) {
  return { timeoutMilliseconds: times.fetchTimeoutMilliseconds, maximumBytes: maxDocumentBytes };
}
