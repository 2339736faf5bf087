import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withConsole } from '../../../api/console/console.js';

const folder = mkdtempSync(join(tmpdir(), 'perdure-console-'));
const configuration = {
  issuer: 'https://id.example.org/realms/r',
  clientID: 'console',
  scope: 'openid',
  audience: undefined,
  temporalUI: undefined,
};
const script = `export const text = ${JSON.stringify('x'.repeat(2_000))};`;
const served = withConsole(folder, configuration, { fetch: () => new Response('the API', { status: 401 }) });
let ready: typeof served;

beforeAll(() => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Perdure</title>');
  writeFileSync(join(folder, 'assets', 'index-abc.js'), script);
  writeFileSync(join(folder, 'assets', 'index-abc.js.map'), '{}');
  ready = withConsole(folder, configuration, { fetch: () => new Response('the API', { status: 401 }) });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return ready.fetch(new Request(`http://127.0.0.1${path}`, { method, headers }), {});
}

it('the console answers every address below /console with the page, which no cache keeps', async () => {
  for (const path of ['/console/', '/console/index.html', '/console/projects/demo/instances/abc?tab=history']) {
    const response = await get(path);
    expect(response.status, path).toBe(200);
    expect(await response.text(), path).toContain('<title>Perdure</title>');
    expect(response.headers.get('cache-control'), path).toBe('no-store');
  }
  const bare = await get('/console');
  expect([bare.status, bare.headers.get('location')]).toEqual([308, '/console/']);
});

it('the console lets caches keep files whose names change with their content, compressed for those who take it', async () => {
  const plain = await get('/console/assets/index-abc.js');
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await plain.text()).toBe(script);
  const compressed = await get('/console/assets/index-abc.js', { 'accept-encoding': 'br, gzip' });
  expect(compressed.headers.get('content-encoding')).toBe('gzip');
  expect(gunzipSync(Buffer.from(await compressed.arrayBuffer())).toString()).toBe(script);
  const again = await get('/console/assets/index-abc.js', { 'if-none-match': plain.headers.get('etag')! });
  expect(again.status).toBe(304);
});

it('the console serves only files of the build', async () => {
  expect((await get('/console/assets/missing.js')).status).toBe(404);
  expect((await get('/console/assets/index-abc.js.map')).status).toBe(404);
  for (const path of ['/console/..%2f..%2fpackage.json', '/console/%2e%2e/package.json', '/console//etc/passwd']) {
    expect(await (await get(path)).text(), path).not.toMatch(/perdure"|root:/);
  }
});

it('the console tells the browser where to sign in, and nothing secret', async () => {
  expect(await (await get('/console/configuration.json')).json()).toEqual({
    issuer: 'https://id.example.org/realms/r',
    clientID: 'console',
    scope: 'openid',
  });
});

it('the console forbids foreign scripts, frames and everything else that a page could be made to do', async () => {
  const policy = (await get('/console/')).headers.get('content-security-policy')!.split('; ');
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self' https://id.example.org",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]),
  );
  expect((await get('/console/')).headers.get('x-content-type-options')).toBe('nosniff');
});

it('the console leaves everything else to the API, and is only read', async () => {
  for (const path of ['/', '/projects', '/consoles', '/console-x']) expect((await get(path)).status, path).toBe(401);
  const posted = await get('/console/', {}, 'POST');
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('the console says how to build a console that is not there', async () => {
  const response = await served.fetch(new Request('http://127.0.0.1/console/'), {});
  expect(response.status).toBe(503);
  expect(await response.text()).toContain('npm run build');
});
