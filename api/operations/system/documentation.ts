import { z } from 'zod';
import { createDocsPage } from '../../docs-page.js';
import type { DocsPage } from '../../docs-page.js';
import { createOpenApiDocument } from '../../openapi.js';
import { defineOperation } from '../../operation.js';
import type { Operation } from '../../operation.js';

/**
 * The two operations that describe all operations, themselves included; so they get the list as a function, which
 * they call when the first request comes.
 */
export function documentationOperations(operations: () => readonly Operation[]): readonly Operation[] {
  let document: Record<string, unknown> | undefined;
  let page: DocsPage | undefined;
  const readDocument = () => (document ??= createOpenApiDocument(operations()));

  const getOpenApi = defineOperation({
    operationID: 'GetOpenApi',
    method: 'GET',
    path: '/openapi.json',
    role: 'public',
    summary: 'This interface as an OpenAPI 3.1 document.',
    request: {},
    responses: { 200: { description: 'The document.', schema: z.record(z.string(), z.unknown()) } },
    problems: [],
  }).handle(async () => ({ status: 200, body: readDocument() }));

  const getDocs = defineOperation({
    operationID: 'GetDocs',
    method: 'GET',
    path: '/docs',
    role: 'public',
    summary: 'This interface as a page for people.',
    request: {},
    responses: { 200: { description: 'The page.', mediaType: 'text/html; charset=utf-8' } },
    problems: [],
  }).handle(async () => {
    page ??= createDocsPage(readDocument());
    return { status: 200, body: page.html, headers: { 'Content-Security-Policy': page.contentSecurityPolicy } };
  });

  return [getOpenApi, getDocs];
}
