/**
 * The console's files under `/console`, in front of the API. They are public and have no rights: everything the console
 * shows and does, it asks the API for with the token of whoever signed in.
 */
import type { Servable } from '../serve.js';
import { securityHeaders } from '../doors/headers.js';
import type { ConsoleConfiguration } from './configuration.js';
import { readConsoleFiles } from './files.js';
import type { ConsoleFile } from './files.js';

const prefix = '/console/';
/** Files whose names change with their content. */
const hashedFiles = 'assets/';

/**
 * Serves the console in front of something else.
 *
 * @param folder where the build has put it
 * @param next what answers all other paths
 */
export function withConsole(folder: string, configuration: ConsoleConfiguration, next: Servable): Servable {
  const files = readConsoleFiles(folder);
  const index = files.get('index.html');
  const configurationFile = JSON.stringify(configuration);
  const headers = { ...securityHeaders, 'Content-Security-Policy': contentSecurityPolicy(configuration), 'Cross-Origin-Opener-Policy': 'same-origin' };

  function answer(request: Request, path: string): Response {
    if (request.method !== 'GET' && request.method !== 'HEAD') return text(405, 'The console is read with GET.', { ...headers, Allow: 'GET, HEAD' });
    if (path === '/console') return new Response(null, { status: 308, headers: { ...headers, Location: prefix } });
    const name = path.slice(prefix.length);
    if (name === 'configuration.json') return new Response(configurationFile, { headers: { ...headers, 'Content-Type': 'application/json' } });
    if (index === undefined) return text(503, 'The console has not been built: run npm run build, and start the host again.', headers);
    const file = files.get(name);
    if (file !== undefined && name !== 'index.html') return sendFile(request, file, { ...headers, 'Cache-Control': name.startsWith(hashedFiles) ? 'public, max-age=31536000, immutable' : 'no-cache' });
    if (name.startsWith(hashedFiles)) return text(404, 'This version of the console has no such file: reload the page.', headers);
    return sendFile(request, index, headers);
  }

  return {
    fetch(request, bindings) {
      const { pathname } = new URL(request.url);
      return pathname === '/console' || pathname.startsWith(prefix) ? answer(request, pathname) : next.fetch(request, bindings);
    },
  };
}

function sendFile(request: Request, { bytes, compressed, mediaType, entityTag }: ConsoleFile, headers: Readonly<Record<string, string>>): Response {
  const all = { ...headers, 'Content-Type': mediaType, ETag: entityTag, Vary: 'Accept-Encoding' };
  if (request.headers.get('if-none-match') === entityTag) return new Response(null, { status: 304, headers: all });
  const isCompressed = compressed !== undefined && /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
  const body = isCompressed ? compressed : bytes;
  return new Response(body, { headers: { ...all, 'Content-Length': String(body.length), ...(isCompressed && { 'Content-Encoding': 'gzip' }) } });
}

function text(status: number, sentence: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(`${sentence}\n`, { status, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' } });
}

/**
 * Scripts come from our own files alone, requests go to us and to the issuer. Styles may be inline, because the editor
 * and the diagram make theirs as they draw; a style runs nothing, and text from outside never becomes HTML.
 */
function contentSecurityPolicy({ issuer }: ConsoleConfiguration): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${new URL(issuer).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
