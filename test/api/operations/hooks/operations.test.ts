/** Managing hooks. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_HOOKS } from '../../../../store/hooks/hooks.js';
import { HOOK, startHookHost, type HookHost } from './support/hook-host.js';

let host: HookHost;
beforeAll(async () => void (host = await startHookHost()));
afterAll(() => host?.close());

describe('a hook', () => {
  it('is created with what was not given, and read by a viewer', async () => {
    const { status, body } = await host.call('editor', 'POST', '/hooks', HOOK);
    expect(status).toBe(201);
    expect(body).toEqual({
      ...HOOK,
      auth: { ...HOOK.auth, encoding: 'hex' },
      hookID: expect.any(String),
      path: `/hooks/p1/${body.hookID}`,
      enabled: true,
      createdBy: 'editor',
      createdAt: expect.any(String),
    });
    expect((await host.call('viewer', 'GET', `/hooks/${body.hookID}`)).body).toEqual(body);
  });

  it('is replaced as a whole and keeps its path', async () => {
    const { body: created } = await host.call('editor', 'POST', '/hooks', { ...HOOK, ttl: 'PT1H', variables: 'body' });
    const changed = { name: 'other', auth: { type: 'STRIPE', secret: 'SHOP' }, messageName: '"m"', enabled: false };
    const { status, body } = await host.call('editor', 'PUT', `/hooks/${created.hookID}`, changed);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...changed,
      hookID: created.hookID,
      path: created.path,
      createdBy: 'editor',
      createdAt: created.createdAt,
      updatedBy: 'editor',
      updatedAt: expect.any(String),
    });
  });

  it('is listed in the order of creation', async () => {
    const project = 'p2';
    for (const name of ['a', 'b', 'c']) await host.call('editor', 'POST', '/hooks', { ...HOOK, name }, project);
    const { body } = await host.call('viewer', 'GET', '/hooks?page=2&pageSize=2', undefined, project);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['c']);
    expect(body.pagination).toEqual({ page: 2, pageSize: 2, total: 3, totalPages: 2 });
  });

  it('is deleted once', async () => {
    const id = (await host.hook()).split('/').at(-1);
    expect((await host.call('editor', 'DELETE', `/hooks/${id}?reason=unused`)).status).toBe(204);
    expect((await host.call('editor', 'DELETE', `/hooks/${id}`)).status).toBe(404);
    expect((await host.call('editor', 'GET', `/hooks/${id}/deliveries`)).status).toBe(404);
  });

  it('of another project is not found', async () => {
    const id = (await host.hook()).split('/').at(-1);
    expect((await host.call('editor', 'PUT', `/hooks/${id}`, HOOK, 'p2')).status).toBe(404);
    expect((await host.call('editor', 'GET', `/hooks/${randomUUID()}`)).status).toBe(404);
  });

  it('names itself in the audit log', async () => {
    const id = (await host.hook()).split('/').at(-1);
    await host.call('editor', 'DELETE', `/hooks/${id}?reason=unused`);
    const { body } = await host.call('admin', 'GET', '/audit?operation=CreateHook,DeleteHook&pageSize=2');
    expect(body.data).toMatchObject([
      { operation: 'DeleteHook', actor: 'editor', hookID: id, reason: 'unused' },
      { operation: 'CreateHook', actor: 'editor', hookID: id },
    ]);
  });
});

describe('a request is refused', () => {
  it.each([
    [
      'a mistake in an expression',
      { messageName: '"m"', variables: '{\n  a: }' },
      /variables .* at line 2, column \d+/,
    ],
    ['a variable that does not exist', { messageName: 'order' }, /no variable order/],
    ['HMAC without a header', { auth: { type: 'HMAC', secret: 'SHOP' } }, /auth\/header/],
    ['a header that is none', { auth: { type: 'HEADER', secret: 'SHOP', header: 'a b' } }, /name of a header/],
    ['a member of another kind', { auth: { type: 'STRIPE', secret: 'SHOP', header: 'X' } }, /auth/],
    ['a secret that is not a name', { auth: { type: 'STRIPE', secret: 'the secret itself' } }, /name of a secret/],
    ['a time to live that is none', { ttl: 'soon' }, /must be a duration/],
    ['a time to live of centuries', { ttl: 'P200Y' }, /at most 100 years/],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, /name/],
  ])('with %s', async (_, changed, message) => {
    const { status, body } = await host.call('editor', 'POST', '/hooks', { ...HOOK, ...changed });
    expect({ status, message: body.message }).toEqual({ status: 400, message: expect.stringMatching(message) });
  });

  it('beyond 100 hooks, also for two at once', async () => {
    const create = (name: string) => host.call('editor', 'POST', '/hooks', { ...HOOK, name }, 'p3');
    for (let index = 0; index < MAX_HOOKS - 1; index += 1) await create(`${index}`);
    const both = await Promise.all([create('a'), create('b')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });
});
