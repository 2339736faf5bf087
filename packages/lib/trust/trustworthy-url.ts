/** Whether the URL uses https, or http that does not leave this machine. */
export function isTrustworthyURL(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/**
 * RFC 6761 section 6.3 reserves `localhost` and all names below it for loopback; containers of one machine share them
 * as aliases.
 */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}
