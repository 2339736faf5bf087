const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether a host name, as spelled in URLs, is a loopback name. */
export function isLoopbackHost(host: string): boolean {
  return loopbackNames.has(host);
}

/** Whether a URL or origin is on this machine, with any port. */
export function isLoopbackUrl(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'http:' && isLoopbackHost(new URL(text).hostname);
}
