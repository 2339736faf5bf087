const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether a host name, as URLs spell it, is this machine itself. */
export function isLoopbackHost(host: string): boolean {
  return loopbackNames.has(host);
}

/** Whether a URL or origin is served by this machine, on any port. */
export function isLoopbackUrl(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'http:' && isLoopbackHost(new URL(text).hostname);
}
