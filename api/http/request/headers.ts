/** Headers of every response: the API returns data, which must not be framed, sniffed, cached, or executed. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

const exposedHeaders = 'Allow, ETag, Retry-After, WWW-Authenticate, X-Request-Id';
const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Match, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Prefer, X-Request-Id';

/**
 * The CORS headers for an origin. The list is compared exactly, and credentials are not allowed: tokens travel in a
 * header, so a page on another origin has no ambient credentials to abuse.
 */
export function corsHeaders(origin: string | null, allowedOrigins: ReadonlySet<string>): Record<string, string> {
  if (origin === null || !allowedOrigins.has(origin)) return { Vary: 'Origin' };
  return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposedHeaders };
}

export function isPreflight(request: Request): boolean {
  const { headers } = request;
  return request.method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method');
}

/** The headers of a preflight response to an allowed origin, in addition to `corsHeaders`. */
export function preflightHeaders(origin: string | null, allowedOrigins: ReadonlySet<string>): Record<string, string> {
  if (origin === null || !allowedOrigins.has(origin)) return {};
  return {
    'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Headers': allowedHeaders,
    'Access-Control-Max-Age': '600',
  };
}
