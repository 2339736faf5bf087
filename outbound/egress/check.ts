/** Decides whether the host may send a request, and to which addresses. */
import { lookup, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { bareHost, entryFor, isAddressHost, type EgressEntry } from './entry.js';
import { OutboundError } from './outbound-error.js';
import { isPublicAddress } from './public-address.js';

/** A URL with the addresses that were checked. A request must connect to one of them, without resolving again. */
export interface CheckedTarget {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
}

/** Resolves a host name to all its addresses. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

const lookupAll = promisify(lookup);
const beingResolved = new Map<string, Promise<readonly LookupAddress[]>>();

/**
 * A lookup occupies one of few threads until its name server answers, so the requests to one host share theirs.
 */
export const resolveBySystem: Resolve = (host) => {
  const present = beingResolved.get(host);
  if (present !== undefined) return present;
  const found = lookupAll(host, { all: true, verbatim: true }).finally(() => beingResolved.delete(host));
  beingResolved.set(host, found);
  return found;
};

/**
 * Whether the allow-list permits the URL, without resolving its host.
 * @returns the URL and its entry
 * @throws OutboundError `EGRESS_REFUSED`
 */
export function findEgressEntry(entries: readonly EgressEntry[], given: string): { url: URL; entry: EgressEntry } {
  if (!URL.canParse(given)) throw refused('The URL is not an absolute URL such as https://api.example.com/orders.');
  const url = new URL(given);
  if (url.username !== '' || url.password !== '')
    throw refused('The URL contains a user name or a password. Send credentials in a header.');
  const entry = entryFor(entries, url);
  if (entry === undefined)
    throw refused(`Requests to ${url.protocol}//${url.host} are not allowed. An operator can add it to EGRESS_ALLOW.`);
  return { url, entry };
}

/**
 * Checks the URL and the addresses of its host.
 * @param deadline aborted when the addresses come too late
 * @throws OutboundError `EGRESS_REFUSED`, `HTTP_CONNECTION` if the host does not resolve, or `HTTP_TIMEOUT`
 */
export async function checkEgress(
  entries: readonly EgressEntry[],
  given: string,
  deadline: AbortSignal,
  resolve: Resolve = resolveBySystem,
): Promise<CheckedTarget> {
  const { url, entry } = findEgressEntry(entries, given);
  const addresses = await addressesOf(url, deadline, resolve);
  // All addresses must be public. Otherwise a hostile name server could add a public one to a private one.
  if (!entry.allowsPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
    throw refused(
      `${url.host} resolves to an address that is not public. An operator can allow that with !private in EGRESS_ALLOW.`,
    );
  return { url, addresses };
}

async function addressesOf(url: URL, deadline: AbortSignal, resolve: Resolve): Promise<readonly LookupAddress[]> {
  const host = bareHost(url.hostname);
  if (isAddressHost(url.hostname)) return [{ address: host, family: isIP(host) }];
  // The message of an error would only repeat the host.
  const addresses = await orLate(
    resolve(host).catch(() => []),
    deadline,
  );
  if (addresses === undefined)
    throw new OutboundError('HTTP_TIMEOUT', `The name of ${url.host} was not resolved in time.`);
  if (addresses.length > 0) return addresses;
  throw new OutboundError('HTTP_CONNECTION', `The name of ${url.host} cannot be resolved.`);
}

/** A lookup at a name server that does not respond cannot be interrupted. Undefined: the work is late. */
async function orLate<T>(work: Promise<T>, deadline: AbortSignal): Promise<T | undefined> {
  const waiting = new AbortController();
  const late = new Promise<undefined>((resolve) => {
    if (deadline.aborted) resolve(undefined);
    deadline.addEventListener('abort', () => resolve(undefined), { signal: waiting.signal });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    waiting.abort();
  }
}

function refused(reason: string): OutboundError {
  return new OutboundError('EGRESS_REFUSED', reason);
}
