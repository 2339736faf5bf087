/** One entry of the allow-list for outgoing requests: `[http://]host[:port][!private]`, where host may be `*.domain`. */
import { isIP } from 'node:net';

export interface EgressEntry {
  readonly protocol: 'https:' | 'http:';
  /** Lowercase, as in a URL: IPv6 in brackets. With `isWildcard`, the domain whose subdomains match. */
  readonly host: string;
  readonly isWildcard: boolean;
  readonly port: number;
  /** Whether the host may resolve to private, loopback, and link-local addresses. */
  readonly allowsPrivate: boolean;
}

const ENTRY = /^(?:(https?):\/\/)?(\*\.)?(\[[0-9a-fA-F:.]+\]|[\w.-]+)(?::(\d{1,5}))?(!private)?$/;

/** Undefined if the text is not an entry. */
export function parseEgressEntry(text: string): EgressEntry | undefined {
  const [, scheme = 'https', wildcard, given = '', port, isPrivate] = ENTRY.exec(text) ?? [];
  if (!URL.canParse(`${scheme}://${given}:${port ?? 1}`)) return undefined;
  // As in a request, so that an address has one spelling.
  const host = new URL(`${scheme}://${given}`).hostname;
  const isAddress = isAddressHost(host);
  if (isAddress && wildcard !== undefined) return undefined;
  return {
    protocol: scheme === 'http' ? 'http:' : 'https:',
    host,
    isWildcard: wildcard !== undefined,
    port: Number(port ?? (scheme === 'http' ? 80 : 443)),
    allowsPrivate: isAddress || isPrivate !== undefined,
  };
}

export function isAddressHost(host: string): boolean {
  return isIP(bareHost(host)) !== 0;
}

/** Without the brackets of an IPv6 address. */
export function bareHost(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}

/** The entry that allows the URL. An exact host wins over a wildcard. */
export function entryFor(entries: readonly EgressEntry[], url: URL): EgressEntry | undefined {
  const matching = entries.filter((entry) => matches(entry, url));
  return matching.find(({ isWildcard }) => !isWildcard) ?? matching[0];
}

function matches({ protocol, host, isWildcard, port }: EgressEntry, url: URL): boolean {
  if (url.protocol !== protocol || portOf(url) !== port) return false;
  return isWildcard ? !isAddressHost(url.hostname) && url.hostname.endsWith(`.${host}`) : url.hostname === host;
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port);
}
