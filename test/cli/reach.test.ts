/** The command line reaches every operation, or a list says why it does not. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { withoutCommand } from './support/without-command.js';

interface OpenApi {
  readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly operationId: string } } };
}

const document = JSON.parse(readFileSync(join(repositoryRoot, 'test/api/openapi.golden.json'), 'utf8')) as OpenApi;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({
    operationId,
    call: `${method.toUpperCase()} ${path}`,
  })),
);

/** Functions of the client package that call an operation for a command. */
const helpers = ['await-result.ts', 'follow-events.ts'].map((name) => `packages/client/${name}`);

function sources(): string[] {
  const cli = readdirSync(join(repositoryRoot, 'packages/cli'), { recursive: true, encoding: 'utf8' });
  const own = cli.filter((name) => name.endsWith('.ts') && !/^(dist|node_modules)\b/.test(name));
  return [...own.map((name) => `packages/cli/${name}`), ...helpers].map((name) =>
    readFileSync(join(repositoryRoot, name), 'utf8'),
  );
}

/** The calls of all commands. A computed part of a path matches any text. */
const calls = sources().flatMap((text) =>
  [...text.matchAll(/\.(GET|POST|PUT|PATCH|DELETE)\(\s*(?:'([^']+)'|`([^`]+)`)/g)].map(
    ([, method, literal, template]) => ({ method: method!, path: literal ?? template! }),
  ),
);

function isCalled(call: string): boolean {
  return calls.some(({ method, path }) => {
    const pattern = path.replace(/[.*+?^()|[\]\\]/g, String.raw`\$&`).replace(/\$\{[^}]+\}/g, '[^/]+');
    return new RegExp(`^${method} ${pattern.replace(/[{}]/g, String.raw`\$&`)}$`).test(call);
  });
}

it('every operation has a command, or a reason to have none, and never both', () => {
  const called = new Set(operations.filter(({ call }) => isCalled(call)).map(({ operationId }) => operationId));
  const names = operations.map(({ operationId }) => operationId);
  expect(called.size).toBeGreaterThan(70);
  expect(names.filter((name) => !called.has(name) && !withoutCommand.has(name))).toEqual([]);
  expect(names.filter((name) => called.has(name) && withoutCommand.has(name))).toEqual([]);
  expect([...withoutCommand.keys()].filter((name) => !names.includes(name))).toEqual([]);
});
