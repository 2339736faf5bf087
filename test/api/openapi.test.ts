import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createOpenApiDocument } from '../../api/contract/openapi.js';
import { operations } from '../../api/operations/index.js';
import { createDocsPage } from '../../api/contract/docs-page.js';
import { requiredRoles } from '../../api/contract/roles.js';
import { clientLists } from '../../tools/client-lists.mjs';
import { clientTypes } from '../../tools/client-types.mjs';

const golden = new URL('openapi.golden.json', import.meta.url);
const typesOfTheClient = new URL('../../packages/client/schema.ts', import.meta.url);
const listsOfTheClient = new URL('../../packages/client/lists.ts', import.meta.url);
const accept = 'ACCEPT_GOLDEN=1 npx vitest run test/api/openapi.test.ts';

const document = createOpenApiDocument(operations) as {
  paths: Record<
    string,
    Record<string, { 'x-required-role': string; requestBody?: { content: Record<string, { schema: unknown }> } }>
  >;
  components: { schemas: Record<string, unknown> };
};
const described = Object.values(document.paths).flatMap((item) => Object.values(item));

test('the OpenAPI document is the one that was reviewed', () => {
  const found = `${JSON.stringify(document, null, 2)}\n`;
  if (process.env['ACCEPT_GOLDEN'] === '1') writeFileSync(golden, found);
  expect(found, `The interface changed. Read the difference as a client would; to accept it: ${accept}`).toBe(
    readFileSync(golden, 'utf8'),
  );
});

test('the types of the client package are those of the OpenAPI document', () => {
  const found = clientTypes(document);
  if (process.env['ACCEPT_GOLDEN'] === '1') writeFileSync(typesOfTheClient, found);
  expect(
    found === readFileSync(typesOfTheClient, 'utf8'),
    'packages/client/schema.ts is of another interface; write it again: npm run generate:client',
  ).toBe(true);
});

test('the lists of the client package are those of the OpenAPI document', () => {
  const found = clientLists(document);
  if (process.env['ACCEPT_GOLDEN'] === '1') writeFileSync(listsOfTheClient, found);
  expect(
    found === readFileSync(listsOfTheClient, 'utf8'),
    'packages/client/lists.ts is of another interface; write it again: npm run generate:client',
  ).toBe(true);
});

test('every operation is described once, under its own id, with its role', () => {
  expect(described).toHaveLength(operations.length);
  expect(new Set(operations.map(({ operationID }) => operationID)).size).toBe(operations.length);
  for (const operation of described) expect(requiredRoles).toContain(operation['x-required-role']);
});

test('every object in a request body refuses properties that it does not name', () => {
  const open: string[] = [];
  const seen = new Set<string>();
  const look = (schema: unknown, where: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { $ref: reference, properties, additionalProperties } = schema as Record<string, unknown>;
    if (typeof reference === 'string' && !seen.has(reference)) {
      seen.add(reference);
      look(document.components.schemas[reference.split('/').at(-1) as string], reference);
    }
    if (properties !== undefined && additionalProperties === undefined) open.push(where);
    for (const [key, part] of Object.entries(schema)) look(part, `${where}/${key}`);
  };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of Object.values(item)) look(operation.requestBody?.content['application/json']?.schema, path);
  }
  expect(open).toEqual([]);
});

test('every reference of the document leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    (match) => match[1],
  );
  for (const name of references) expect(Object.keys(document.components.schemas)).toContain(name);
});

test('the documentation page names every operation and runs no script', () => {
  const { html, contentSecurityPolicy } = createDocsPage(document);
  for (const { operationID } of operations) expect(html).toContain(`<strong>${operationID}</strong>`);
  expect(html).not.toMatch(/<script|javascript:|https?:\/\/(?!localhost)/);
  expect(contentSecurityPolicy).toContain("default-src 'none'");
});
