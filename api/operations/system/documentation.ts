import { z } from 'zod';
import { createDocsPage } from '../../contract/docs-page.js';
import type { DocsPage } from '../../contract/docs-page.js';
import { createOpenApiDocument } from '../../contract/openapi.js';
import { defineOperation } from '../../contract/operation.js';
import type { Operation } from '../../contract/operation.js';

/**
 * The two operations that describe all operations, including themselves. They receive the list as a function and call
 * it on the first request, because the list contains them.
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
    summary: 'Get the OpenAPI document',
    description: 'OpenAPI 3.1.',
    request: {},
    responses: { 200: { description: 'OpenAPI document', schema: z.record(z.string(), z.unknown()) } },
    problems: [],
  }).handle(async () => ({ status: 200, body: readDocument() }));

  const getDocs = defineOperation({
    operationID: 'GetDocs',
    method: 'GET',
    path: '/docs',
    role: 'public',
    summary: 'Get the API documentation page',
    request: {},
    responses: { 200: { description: 'HTML page', mediaType: 'text/html; charset=utf-8' } },
    problems: [],
  }).handle(async () => {
    page ??= createDocsPage(readDocument());
    return { status: 200, body: page.html, headers: { 'Content-Security-Policy': page.contentSecurityPolicy } };
  });

  return [getOpenApi, getDocs];
}
