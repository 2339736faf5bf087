/**
 * Whether an address is public. Of IPv6, only global unicast without ranges that contain IPv4 addresses: an IPv4 address
 * in IPv6 form (mapped, 6to4, Teredo, NAT64) is a way around the list of IPv4.
 */
import { BlockList, isIPv4 } from 'node:net';

/** IANA special-purpose registries (RFC 6890 and its updates), multicast, and the metadata address of Azure. */
const notPublic = subnets('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]);

const globalUnicast = subnets('ipv6', [['2000::', 3]]);
const notPublicGlobalUnicast = subnets('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** @param address as `dns.lookup` returns it */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4');
  return globalUnicast.check(address, 'ipv6') && !notPublicGlobalUnicast.check(address, 'ipv6');
}

function subnets(family: 'ipv4' | 'ipv6', list: readonly (readonly [string, number])[]): BlockList {
  const blocks = new BlockList();
  for (const [address, bits] of list) blocks.addSubnet(address, bits, family);
  return blocks;
}
