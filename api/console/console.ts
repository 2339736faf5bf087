/**
 * Serves the files of the console under `/console`, in front of the API. They are public and have no rights: the
 * console calls the API with the token of the signed-in user for everything it shows and does.
 */
import type { Servable } from '../serve.js';
import { securityHeaders } from '../http/request/headers.js';
import type { ConsoleConfiguration } from './configuration.js';
import { readConsoleFiles } from './files.js';
import type { ConsoleFile } from './files.js';

const prefix = '/console/';
/** Files whose names change with their content. */
const hashedFiles = 'assets/';

/**
 * Serves the console in front of another handler.
 *
 * @param folder output folder of the console build
 * @param next handles all other paths
 */
export function withConsole(folder: string, configuration: ConsoleConfiguration, next: Servable): Servable {
  const files = readConsoleFiles(folder);
  const index = files.get('index.html');
  const configurationFile = JSON.stringify(configuration);
  const headers = {
    ...securityHeaders,
    'Content-Security-Policy': contentSecurityPolicy(configuration),
    'Cross-Origin-Opener-Policy': 'same-origin',
  };

  function answer(request: Request, path: string): Response | Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return text(405, 'The console supports only GET and HEAD', { ...headers, Allow: 'GET, HEAD' });
    if (path === '/console') return new Response(null, { status: 308, headers: { ...headers, Location: prefix } });
    const name = path.slice(prefix.length);
    if (name === 'configuration.json')
      return new Response(configurationFile, { headers: { ...headers, 'Content-Type': 'application/json' } });
    if (index === undefined)
      return text(503, 'The console is not built. Run npm run build and restart the host.', headers);
    const file = files.get(name);
    if (file !== undefined && name !== 'index.html')
      return sendFile(request, file, {
        ...headers,
        'Cache-Control': name.startsWith(hashedFiles) ? 'public, max-age=31536000, immutable' : 'no-cache',
      });
    if (name.startsWith(hashedFiles))
      return text(404, 'This version of the console has no such file. Reload the page.', headers);
    return sendFile(request, index, headers);
  }

  return {
    fetch(request, bindings) {
      const { pathname } = new URL(request.url);
      return pathname === '/console' || pathname.startsWith(prefix)
        ? answer(request, pathname)
        : next.fetch(request, bindings);
    },
  };
}

async function sendFile(
  request: Request,
  { bytes, compressed, mediaType, entityTag }: ConsoleFile,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const all = { ...headers, 'Content-Type': mediaType, ETag: entityTag, Vary: 'Accept-Encoding' };
  if (request.headers.get('if-none-match') === entityTag) return new Response(null, { status: 304, headers: all });
  const smaller = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '') ? await compressed() : undefined;
  const body = smaller ?? bytes;
  return new Response(body, {
    headers: { ...all, 'Content-Length': String(body.length), ...(smaller && { 'Content-Encoding': 'gzip' }) },
  });
}

function text(status: number, sentence: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(`${sentence}\n`, {
    status,
    headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' },
  });
}

/**
 * Scripts come only from the console's own files; requests go to the API and the issuer. Inline styles are allowed
 * because the editor and the diagram create them; a style executes nothing, and external text never becomes HTML.
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
