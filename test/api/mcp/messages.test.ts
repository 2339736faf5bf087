/** Single messages of the Model Context Protocol, as they are on the wire. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectRole } from '../../../api/contract/roles.js';
import { startTestApi, type TestApi } from '../support/api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

interface Sent {
  readonly role?: ProjectRole;
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

async function send(json: unknown, { role = 'viewer', query = '', headers = {} }: Sent = {}) {
  const token = await api.issuer.sign({ sub: role, projects: [{ id: 'p1', roles: [role] }] });
  const response = await api.request('POST', `/projects/p1/mcp${query}`, { token, json, headers });
  const text = await response.text();
  return { status: response.status, text, type: response.headers.get('content-type'), body: text && JSON.parse(text) };
}

const request = (method: string, params?: Record<string, unknown>, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});

const call = (name: unknown, given?: unknown) => request('tools/call', { name, arguments: given });

describe('initialize', () => {
  it.each(['2025-06-18', '2025-11-25'])('agrees on version %s', async (protocolVersion) => {
    const { status, body } = await send(request('initialize', { protocolVersion, capabilities: {} }));
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'perdure' },
    });
  });

  it('offers the newest version to a client with another one', async () => {
    const { body } = await send(request('initialize', { protocolVersion: '1999-01-01', capabilities: {} }));
    expect(body.result.protocolVersion).toBe('2025-11-25');
  });

  it('starts no session, and the notification that follows it is accepted', async () => {
    const { status, text } = await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect({ status, text }).toEqual({ status: 202, text: '' });
  });
});

describe('version 2026-07-28', () => {
  const version = '2026-07-28';
  const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': version } };
  const headersOf = (method: string, name?: string) => ({
    'MCP-Protocol-Version': version,
    'Mcp-Method': method,
    ...(name !== undefined && { 'Mcp-Name': name }),
  });

  it('is discovered without a handshake', async () => {
    const headers = headersOf('server/discover');
    const { status, body } = await send(request('server/discover', meta), { headers });
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ resultType: 'complete', supportedVersions: [version] });
  });

  it('lists tools with a header against shared caches', async () => {
    const { body } = await send(request('tools/list', meta), { headers: headersOf('tools/list') });
    expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    expect(body.result.tools.length).toBeGreaterThan(20);
  });

  it.each([
    ['the version', { ...headersOf('tools/list'), 'MCP-Protocol-Version': '2025-11-25' }],
    ['the method', headersOf('tools/call')],
  ])('refuses a header with another value than %s of the message', async (_, headers) => {
    const { status, body } = await send(request('tools/list', meta), { headers });
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: -32020 });
  });

  it('refuses a header with the name of another tool, and accepts one in Base64', async () => {
    const message = request('tools/call', { name: 'Ä', ...meta });
    const other = await send(message, { headers: headersOf('tools/call', 'B') });
    expect({ status: other.status, code: other.body.error.code }).toEqual({ status: 400, code: -32020 });
    const encoded = `=?base64?${Buffer.from('Ä').toString('base64')}?=`;
    const same = await send(message, { headers: headersOf('tools/call', encoded) });
    expect({ status: same.status, code: same.body.error.code }).toEqual({ status: 200, code: -32602 });
  });

  it('answers an unknown method with 404, and names the versions to a client with a later one', async () => {
    const unknown = await send(request('resources/list', meta), { headers: headersOf('resources/list') });
    expect({ status: unknown.status, code: unknown.body.error.code }).toEqual({ status: 404, code: -32601 });
    const later = await send(request('tools/list'), { headers: { 'MCP-Protocol-Version': '2030-01-01' } });
    expect(later.status).toBe(400);
    expect(later.body.error).toMatchObject({ code: -32022, data: { requested: '2030-01-01' } });
    expect(later.body.error.data.supported).toContain(version);
  });
});

describe('a message', () => {
  it.each([
    ['a batch of messages', [request('ping')]],
    ['another version of JSON-RPC', { ...request('ping'), jsonrpc: '1.0' }],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
    ['no id but null', request('ping', undefined, null)],
    ['a fractional id', request('ping', undefined, 1.5)],
    ['a list of parameters', { ...request('ping'), params: [] }],
  ])('cannot be %s', async (_, json) => {
    const { status, type } = await send(json);
    expect({ status, type }).toEqual({ status: 400, type: 'application/problem+json' });
  });

  it('can have a version in _meta of any type', async () => {
    const { status } = await send(request('ping', { _meta: { 'io.modelcontextprotocol/protocolVersion': [1] } }));
    expect(status).toBe(400);
    expect((await send(request('ping', { _meta: 'none' }))).status).toBe(200);
    expect((await send(request('ping', { _meta: null }))).status).toBe(200);
  });

  it('needs a token and membership, as every request', async () => {
    expect((await api.request('POST', '/projects/p1/mcp', { json: request('ping') })).status).toBe(401);
    const token = await api.issuer.sign({ sub: 'other', projects: [{ id: 'p2', roles: ['admin'] }] });
    expect((await api.request('POST', '/projects/p1/mcp', { token, json: request('ping') })).status).toBe(404);
  });

  it.each(['GET', 'DELETE'])('cannot be sent by %s', async (method) => {
    const token = await api.issuer.sign({ sub: 'v', projects: [{ id: 'p1', roles: ['viewer'] }] });
    expect((await api.request(method, '/projects/p1/mcp', { token })).status).toBe(405);
  });
});

describe('a tool that the request may not use', () => {
  it.each([
    ['of a higher role', 'EraseBpmnInstance', '?write=all'],
    ['that changes something, without write', 'ClaimBpmnUserTask', ''],
    ['that is never a tool', 'PollBpmnExternalJobs', '?write=all'],
    ['of no project', 'CreateProject', '?write=all'],
  ])('%s is unknown, byte for byte', async (_, name, query) => {
    const unknown = await send(call('NoSuchTool', { workflowID: 'x' }), { query });
    const refused = await send(call(name, { workflowID: 'x' }), { query });
    expect(refused).toEqual(unknown);
    expect(refused.body.error).toEqual({ code: -32602, message: 'Unknown tool' });
  });
});

describe('the arguments of a tool', () => {
  it.each([
    ['lack a member of the path', {}],
    ['have an object in the path', { workflowID: {} }],
    ['have null in the path', { workflowID: null }],
    ['have a member of nothing', { workflowID: 'x', other: 1 }],
    ['have an object for the query', { workflowID: 'x', page: {} }],
    ['have a page that is not a number', { workflowID: 'x', page: 'one' }],
    ['have a body that the tool does not take', { workflowID: 'x', body: {} }],
  ])('that %s are a bad request', async (_, given) => {
    const { status, body } = await send(call('ListBpmnInstanceHistory', given));
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ isError: true, structuredContent: { code: 'BAD_REQUEST', status: 400 } });
    expect(JSON.parse(body.result.content[0].text)).toEqual(body.result.structuredContent);
  });

  it.each([
    ['a key with a line break', { 'Idempotency-Key': 'a\r\nAuthorization: Bearer x' }],
    ['a key outside ASCII', { 'Idempotency-Key': 'clé-🔑' }],
    ['a key with a space', { 'Idempotency-Key': 'a b' }],
    ['an empty key', { 'Idempotency-Key': '' }],
    ['a key of 256 characters', { 'Idempotency-Key': 'k'.repeat(256) }],
    ['a key that is a number', { 'Idempotency-Key': 17 }],
    ['a wait that is a number', { Prefer: 30 }],
    ['another header', { Authorization: 'Bearer x' }],
    ['a key in other letters', { 'idempotency-key': 'one' }],
  ])('with %s are a bad request', async (_, given) => {
    const started = call('StartBpmnInstance', { ...given, body: { processDefinitionID: 'x' } });
    const { status, body } = await send(started, { role: 'executor', query: '?write=all' });
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ isError: true, structuredContent: { code: 'BAD_REQUEST', status: 400 } });
  });

  it('have no key where the operation takes none', async () => {
    const canceled = call('CancelBpmnInstance', { workflowID: 'x', 'Idempotency-Key': 'one' });
    const { body } = await send(canceled, { role: 'editor', query: '?write=all' });
    expect(body.result.structuredContent).toMatchObject({
      code: 'BAD_REQUEST',
      detail: expect.stringContaining('Idem'),
    });
  });

  it.each(['..', 'a/../b', '%2e%2e', 'x?page=2', '../../settings'])('cannot reach another path by %j', async (id) => {
    const { body } = await send(call('GetBpmnInstance', { workflowID: id }));
    expect(body.result).toMatchObject({ isError: true, structuredContent: { code: 'NOT_FOUND' } });
  });

  it.each([
    ['a list', []],
    ['a text', 'x'],
    ['null', null],
  ])('cannot be %s', async (_, given) => {
    expect((await send(call('GetProject', given))).body.error.code).toBe(-32602);
  });

  it.each(['p1', 'p2'])('cannot name a project, not even by %s', async (projectID) => {
    const { body } = await send(call('GetProject', { projectID }));
    expect(body.result).toMatchObject({ isError: true, structuredContent: { code: 'BAD_REQUEST' } });
  });

  it('are checked by the limits of the REST API: with its database away, the tool says so', async () => {
    const { status, body } = await send(call('ListBpmnInstances'));
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ isError: true, structuredContent: { code: 'UNAVAILABLE' } });
  });
});

describe('the address', () => {
  it.each(['true', 'false', 'SAFE', '', 'safe&write=all'])('cannot have write=%s', async (write) => {
    expect((await send(request('tools/list'), { query: `?write=${write}` })).status).toBe(400);
  });
});

describe('a page that calls', () => {
  it.each(['http://evil.example', 'http://localhost', 'http://127.0.0.1', 'null'])(
    'from the origin %s is 403, and its message is not read',
    async (Origin) => {
      for (const message of [request('tools/list'), call('NoSuchTool'), request('unknown')]) {
        const { status, body } = await send(message, { headers: { Origin }, query: '?write=all' });
        expect({ status, body }).toEqual({
          status: 403,
          body: { jsonrpc: '2.0', error: { code: -32000, message: 'The origin is not one of CORS_ORIGINS' } },
        });
      }
    },
  );

  it('with the name of the host as its own, as a page has it that rebinds its name, is 403', async () => {
    const headers = { Origin: 'http://evil.example:8080', Host: 'evil.example:8080' };
    expect((await send(request('tools/list'), { headers })).status).toBe(403);
  });

  it('needs a token first, so that it learns nothing about the project', async () => {
    const headers = { Origin: 'http://evil.example' };
    expect((await api.request('POST', '/projects/p1/mcp', { json: request('ping'), headers })).status).toBe(401);
    const token = await api.issuer.sign({ sub: 'other', projects: [{ id: 'p2', roles: ['admin'] }] });
    expect((await api.request('POST', '/projects/p1/mcp', { token, json: request('ping'), headers })).status).toBe(404);
  });

  it('is answered if CORS_ORIGINS has its origin', async () => {
    const allowing = await startTestApi({ configuration: { corsOrigins: new Set(['https://app.example.com']) } });
    try {
      const token = await allowing.issuer.sign({ sub: 'viewer', projects: [{ id: 'p1', roles: ['viewer'] }] });
      const headers = { Origin: 'https://app.example.com' };
      const response = await allowing.request('POST', '/projects/p1/mcp', { token, json: request('ping'), headers });
      expect(response.status).toBe(200);
    } finally {
      await allowing.close();
    }
  });
});
