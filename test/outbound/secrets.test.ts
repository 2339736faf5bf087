import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { secretsAsJson } from '../../outbound/secrets/in-environment.js';
import { maskJson, maskOf } from '../../outbound/secrets/mask.js';
import { createSecrets } from '../../outbound/secrets/secrets.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  await mkdir(join(folder, 'shop'));
  await writeFile(join(folder, 'shop', 'BANK'), 'bank-password\n');
  await writeFile(join(folder, 'shop', 'BANK.previous'), 'older-password');
  await writeFile(join(folder, 'shop', 'BANK.hosts'), 'api.bank.com\n*.bank.org:8443\n');
  await writeFile(join(folder, 'shop', 'SHORT'), 'x');
  await writeFile(join(folder, 'outside'), 'not a secret of a project');
  // As Kubernetes mounts a secret.
  await mkdir(join(folder, 'mounted', '..2026_11_23'), { recursive: true });
  await writeFile(join(folder, 'mounted', '..2026_11_23', 'TOKEN'), 'mounted-token');
  await symlink('..2026_11_23', join(folder, 'mounted', '..data'));
  await symlink('..data/TOKEN', join(folder, 'mounted', 'TOKEN'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('secrets in files', () => {
  it('have one or two values and hosts', async () => {
    expect(await createSecrets(folder).resolve('shop', 'BANK')).toEqual({
      name: 'BANK',
      values: ['bank-password', 'older-password'],
      hosts: ['api.bank.com', '*.bank.org:8443'],
    });
  });

  it('can be mounted by Kubernetes; without a file of hosts they can be sent nowhere', async () => {
    const secret = { name: 'TOKEN', values: ['mounted-token'], hosts: [] };
    expect(await createSecrets(folder).resolve('mounted', 'TOKEN')).toEqual(secret);
  });

  it('are read again on every use', async () => {
    const secrets = createSecrets(folder);
    await mkdir(join(folder, 'fresh'));
    expect(await secrets.resolve('fresh', 'NEW')).toBeUndefined();
    await writeFile(join(folder, 'fresh', 'NEW'), 'first-value');
    expect(await secrets.resolve('fresh', 'NEW')).toMatchObject({ values: ['first-value'] });
    await writeFile(join(folder, 'fresh', 'NEW'), 'second-value');
    expect(await secrets.resolve('fresh', 'NEW')).toMatchObject({ values: ['second-value'] });
  });

  it.each([
    ['..', 'outside'],
    ['.', 'outside'],
    ['shop/..', 'outside'],
    ['shop', '../outside'],
    ['shop', 'BANK.hosts'],
    ['shop', 'BANK.previous'],
    ['shop', 'nothing'],
    ['nobody', 'BANK'],
    ['', 'shop'],
  ])('project %j has no secret %j', async (projectID, name) => {
    expect(await createSecrets(folder).resolve(projectID, name)).toBeUndefined();
  });

  it('are listed by name, also those with a mistake', async () => {
    expect(await createSecrets(folder).list('mounted')).toEqual([{ name: 'TOKEN', hosts: [] }]);
    expect(await createSecrets(folder).list('shop')).toEqual([
      { name: 'BANK', hosts: ['api.bank.com', '*.bank.org:8443'] },
      { name: 'SHORT', hosts: [] },
    ]);
    expect(await createSecrets(folder).list('nobody')).toEqual([]);
  });

  it('a value that is too short is refused without repeating it', async () => {
    await expect(createSecrets(folder).resolve('shop', 'SHORT')).rejects.toThrow(/SHORT must contain 8 to 8192/);
  });
});

describe('secrets in the environment', () => {
  const given = secretsAsJson.schema.parse(
    '{"shop":{"MAIL":{"values":["mail-password"],"hosts":["mail.example.com"]},"BANK":{"values":["unused-password"]}}}',
  );

  it('are used where no file has the name', async () => {
    const secrets = createSecrets(folder, given);
    expect(await secrets.resolve('shop', 'MAIL')).toMatchObject({ values: ['mail-password'] });
    expect(await secrets.resolve('shop', 'BANK')).toMatchObject({ values: ['bank-password', 'older-password'] });
    expect(await secrets.resolve('constructor', 'name')).toBeUndefined();
  });

  it.each([
    '',
    'null',
    '[]',
    '{"shop":{"A":"value"}}',
    '{"shop":{"A":{"values":[]}}}',
    '{"shop":{"a b":{"values":["12345678"]}}}',
  ])('do not take %j', (text) => expect(secretsAsJson.schema.safeParse(text).success).toBe(false));
});

describe('a mask', () => {
  const secret = 'pa"ss/w+rd é1234';
  const mask = maskOf([secret]);

  it.each([
    ['the value itself', secret],
    ['JSON', JSON.stringify({ secret })],
    ['JSON within JSON', JSON.stringify(secret)],
    ['JSON of ASCII, which other languages write', JSON.stringify({ secret }).replace('é', '\\u00E9')],
    ['JSON with escaped slashes', JSON.stringify({ secret }).replaceAll('/', '\\/')],
    ['a query', `a=${encodeURIComponent(secret)}`],
    ['a path', encodeURI(secret).replace('"', '%22')],
    ['escapes in lower case', encodeURIComponent(secret).toLowerCase()],
    ['a query of a URL in a query', encodeURIComponent(encodeURIComponent(secret))],
    ['HTML', secret.replace('"', '&quot;').replace('é', '&#233;').replace('+', '&#x2B;')],
    ['a form', new URLSearchParams({ secret }).toString()],
    ['Base64', Buffer.from(secret).toString('base64')],
    ['Base64 for URLs', Buffer.from(secret).toString('base64url')],
    ['basic authentication', Buffer.from(`user:${secret}`).toString('base64')],
    ['basic authentication with another user', Buffer.from(`users:${secret}`).toString('base64')],
    ['basic authentication with a third one', Buffer.from(`user12:${secret}`).toString('base64')],
  ])('hides a secret in %s', (_name, text) => {
    const masked = mask(`before ${text} after`);
    expect(masked).toContain('***');
    expect(masked).not.toContain('w+rd');
    expect(masked).toMatch(/^before .* after$/);
    for (const before of ['', 'a', 'ab'])
      expect(masked).not.toContain(
        Buffer.from(before + secret)
          .toString('base64')
          .slice(4, 16),
      );
  });

  it('hides a secret in every part of JSON', () => {
    const masked = maskJson({ [secret]: [secret, 5, null], number: 12345678 }, maskOf([secret, '12345678']));
    expect(masked).toEqual({ '***': ['***', 5, null], number: '***' });
  });

  it('searches all texts of JSON at once, and keeps them apart', () => {
    const searches = vi.fn(maskOf(['12345678']));
    const items = Array.from({ length: 1_000 }, () => ['1234', '5678', 1234, { 5678: '12345678' }]);
    const masked = maskJson(items, searches);
    expect(masked).toEqual(items.map(() => ['1234', '5678', 1234, { 5678: '***' }]));
    expect(searches).toHaveBeenCalledTimes(1);
  });

  it.each([[null], [true], [[]], [{}], ['']])('leaves %j as it is', (json) =>
    expect(maskJson(json, mask)).toEqual(json),
  );

  it('keeps texts apart when a secret has the character between them', () => {
    const masked = maskJson(['1234', '5678', '1234\u00005678'], maskOf(['1234\u00005678']));
    expect(masked).toEqual(['1234', '5678', '***']);
  });

  it.each([
    ['letters', 'abcdefgh1'],
    ['quotation marks and backslashes', '"\\\\/'],
    ['characters beyond ASCII', 'é😀'],
  ])('hides the longest secret of %s', (_name, text) => {
    const longest = [...text.repeat(8_192)].slice(0, 8_192).join('');
    const hides = maskOf([longest, `${longest.slice(2)}xy`]);
    const json = JSON.stringify(JSON.stringify({ longest }));
    const forms = [longest, encodeURIComponent(longest), json, Buffer.from(`user:${longest}`).toString('base64')];
    for (const form of forms) {
      const masked = hides('-'.repeat(100_000) + form);
      expect(masked).toMatch(/\*{3}/);
      expect(masked.length).toBeLessThan(101_000);
    }
  });

  it.each(['\\', '\\u', '&#0', '%25', '"'])('passes an answer of nothing but %s', (text) => {
    const answer = text.repeat(1_000_000 / text.length);
    expect(maskOf(['"\\\\"%"<> secret'])(answer)).toBe(answer);
  });

  it('hides a secret that contains another one', () =>
    expect(maskOf(['12345678', '12345678-and-more'])('12345678-and-more 12345678')).toBe('*** ***'));

  it('leaves other text alone', () => expect(mask('nothing secret')).toBe('nothing secret'));
});
