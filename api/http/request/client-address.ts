import { BlockList, isIP } from 'node:net';

/**
 * Finds the address that a request really comes from. `X-Forwarded-For` is trusted only as far as trusted proxies wrote
 * it: from the right, the first entry that is not a trusted proxy. Everything before it is an unverified claim of the
 * client.
 */
export interface ClientAddresses {
  /** @returns an address, or the text that a trusted proxy wrote instead of one */
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
      const hops = (forwardedFor ?? '').split(',').map(addressOfHop);
      while (isIP(client) !== 0 && isTrusted(client)) {
        const next = hops.pop();
        if (next === undefined || next === '') break;
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

/** More than an address has. */
const MAX_HOP_LENGTH = 64;

/**
 * The address in an entry of `X-Forwarded-For`. Some proxies add the port, and brackets around IPv6. A text that has no
 * address stays as it is: it is what the proxy knows of its client, and clients with the same text count as one.
 */
function addressOfHop(hop: string): string {
  const text = hop.trim().slice(0, MAX_HOP_LENGTH);
  const [, inBrackets, beforePort] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return plain(inBrackets ?? beforePort ?? text);
}

/** IPv4 addresses on a dual-stack socket come as ::ffff:a.b.c.d; some proxies write them as ::ffff:102:304. */
function plain(address: string): string {
  const [, text, high, low] = /^::ffff:(?:([\d.]+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i.exec(address) ?? [];
  if (text !== undefined) return text;
  if (high === undefined || low === undefined) return address;
  return [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.');
}
