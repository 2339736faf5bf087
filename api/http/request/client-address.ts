import { BlockList, isIP } from 'node:net';

/**
 * Finds the address that a request really comes from. `X-Forwarded-For` is trusted only as far as trusted proxies wrote
 * it: from the right, the first address that is not a trusted proxy. Everything before it is an unverified claim of the
 * client.
 */
export interface ClientAddresses {
  find(peer: string, forwardedFor: string | null): string;
  /** Whether the address is that of a trusted proxy. */
  isTrusted(address: string): boolean;
}

/** @param trustedProxies addresses and CIDR ranges, already validated by the configuration */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const trusted = new BlockList();
  for (const range of trustedProxies) {
    const [address = '', prefix] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  // Asking an empty list costs as much as asking a full one: Node makes an object of the address.
  const isTrusted = (address: string) =>
    trustedProxies.length > 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return {
    isTrusted: (address) => isIP(address) !== 0 && isTrusted(plain(address)),
    find(peer, forwardedFor) {
      let client = plain(peer);
      const hops = (forwardedFor ?? '').split(',').map((hop) => plain(hop.trim()));
      while (isIP(client) !== 0 && isTrusted(client)) {
        const next = hops.pop();
        if (next === undefined || isIP(next) === 0) break;
        client = next;
      }
      return client;
    },
  };
}

/**
 * The network that counts as one client: an IPv4 address, but the whole /64 of an IPv6 address. A /64 is the smallest
 * network that providers assign, and a customer can use any address in it.
 */
export function networkOf(given: string): string {
  const address = plain(given);
  return isIP(address) === 6 ? ipv6Network(address, 4) : address;
}

/** The network of the neighbors of an address: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function neighborhoodOf(given: string): string {
  const address = plain(given);
  if (isIP(address) === 6) return ipv6Network(address, 3);
  return isIP(address) === 4 ? `${address.slice(0, address.lastIndexOf('.'))}.0/24` : address;
}

/** @param count of groups of 16 bits */
function ipv6Network(address: string, count: number): string {
  const [head = [], tail = []] = (address.split('%')[0] as string)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  // An IPv4 address at the end covers two groups.
  const written = [...head, ...tail].reduce((count, group) => count + (group.includes('.') ? 2 : 1), 0);
  const groups = [...head, ...Array.from({ length: Math.max(0, 8 - written) }, () => '0'), ...tail];
  return `${groups
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/${count * 16}`;
}

/** Whether the text is an address or a CIDR range. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32));
}

/** IPv4 addresses on a dual-stack socket come as ::ffff:a.b.c.d. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
