/** Names of secrets in the inputs of a job: what they cost has limits for the whole job. */
import { describe, expect, it, vi } from 'vitest';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { Mapping } from '@perdure/engine/model/graph.js';
import { parseFeel } from '@perdure/feel/parse.js';
import { resolveSecrets } from '../../connectors/http/resolve.js';
import { templateOf } from '../../connectors/inputs/placeholders.js';

function mapping(feel: string, target: string[], names: string[] = []): Mapping {
  const parsed = parseFeel(feel, { names });
  if (!parsed.ok) throw new Error(parsed.errors[0]!.message);
  return { source: { feel: parsed.tree }, target };
}

const template = (mappings: readonly Mapping[], variables: Variables) =>
  templateOf(['headers', 'body'], mappings, variables, 0);

describe('inputs that name secrets', () => {
  const loops = Array.from({ length: 20 }, (_, index) =>
    mapping(
      '"{{secrets.KEY}}" + (if count(for i in 1..n return i / 7) > 0 then "" else "?")',
      ['headers', `X-${index}`],
      ['n'],
    ),
  );
  const variables = (n: number): Variables => ({
    n,
    headers: Object.fromEntries(loops.map(({ target }) => [target[1]!, '{{secrets.KEY}}'])),
  });

  it('get placeholders while their mappings take few steps together', () => {
    const { inputs, placeholders } = template(loops, variables(10));
    expect(placeholders).toMatchObject([{ secretName: 'KEY', reference: '{{secrets.KEY}}' }]);
    expect(new Set(Object.values(inputs['headers'] as Variables))).toEqual(new Set([placeholders[0]!.token]));
  });

  it('share the steps of one evaluation', () => {
    expect(template(loops.slice(0, 1), variables(20_000)).placeholders).toHaveLength(1);
    expect(() => template(loops, variables(20_000))).toThrow(
      expect.objectContaining({
        code: 'SECRET_REFUSED',
        message: expect.stringMatching(
          /^The input headers\.X-\d+ cannot .* limit of 300000 steps .* share this limit\.$/,
        ),
      }),
    );
  });

  it('have a limited number of values, counted for each mapping', () => {
    const body = { key: '{{secrets.KEY}}', items: Array.from({ length: 100_000 }, () => 1) };
    const same = Array.from({ length: 6 }, () =>
      mapping('{key: "{{secrets.KEY}}", items: items}', ['body'], ['items']),
    );
    expect(() => template(same, { items: [], body })).toThrow('more than 500000 values');
  });
});

it('a secret is looked up once, in however many ways the model writes its name', async () => {
  const written = Array.from({ length: 50 }, (_, spaces) => `{{${' '.repeat(spaces)}secrets.KEY}}`);
  const { inputs, placeholders } = templateOf(
    ['body'],
    [{ source: { literal: written }, target: ['body'] }],
    { body: written },
    0,
  );
  const secrets = {
    resolve: vi.fn().mockResolvedValue({ name: 'KEY', values: ['top-secret-value'], hosts: ['a.example.com'] }),
    list: vi.fn(),
  };
  const url = 'https://a.example.com/';
  const call = { url, method: 'POST', headers: {}, basic: undefined, body: inputs['body'] };
  const resolved = await resolveSecrets(call, placeholders, { secrets, projectID: 'p' });
  expect(resolved.call.body).toEqual(written.map(() => 'top-secret-value'));
  expect(resolved.mask('a top-secret-value')).toBe('a ***');
  expect(secrets.resolve).toHaveBeenCalledTimes(1);
});
