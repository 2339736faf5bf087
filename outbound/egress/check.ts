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

export const resolveBySystem: Resolve = (host) => promisify(lookup)(host, { all: true, verbatim: true });

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
    throw refused(`${url.protocol}//${url.host} is not allowed. An operator can add it to EGRESS_ALLOW.`);
  return { url, entry };
}

/**
 * Checks the URL and the addresses of its host.
 * @throws OutboundError `EGRESS_REFUSED`, or `HTTP_CONNECTION` if the host does not resolve
 */
export async function checkEgress(
  entries: readonly EgressEntry[],
  given: string,
  resolve: Resolve = resolveBySystem,
): Promise<CheckedTarget> {
  const { url, entry } = findEgressEntry(entries, given);
  const addresses = await addressesOf(url, resolve);
  // All addresses must be public. Otherwise a hostile name server could add a public one to a private one.
  if (!entry.allowsPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
    throw refused(
      `${url.host} resolves to an address that is not public. An operator can allow that with !private in EGRESS_ALLOW.`,
    );
  return { url, addresses };
}

async function addressesOf(url: URL, resolve: Resolve): Promise<readonly LookupAddress[]> {
  const host = bareHost(url.hostname);
  if (isAddressHost(url.hostname)) return [{ address: host, family: isIP(host) }];
  try {
    const addresses = await resolve(host);
    if (addresses.length > 0) return addresses;
  } catch {
    // The message of the error would only repeat the host.
  }
  throw new OutboundError('HTTP_CONNECTION', `The name of ${url.host} cannot be resolved.`);
}

function refused(reason: string): OutboundError {
  return new OutboundError('EGRESS_REFUSED', `The request was not sent: ${reason}`);
}
