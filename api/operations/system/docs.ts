import { createDocsPage, type DocsPage } from '../../contract/docs-page.js';
import type { OpenApiDocument } from '../../contract/openapi.js';
import { defineOperation } from '../../commands/define-operation.js';
import type { Operation } from '../../commands/operation.js';
import { staticDocument, type StaticDocument } from '../../http/response/static-document.js';

export function getDocs(document: () => OpenApiDocument): Operation {
  let page: DocsPage | undefined;
  let served: Promise<StaticDocument> | undefined;
  return defineOperation({
    operationID: 'GetDocs',
    method: 'GET',
    path: '/docs',
    role: 'public',
    summary: 'Get the API documentation page',
    request: {},
    responses: { 200: { description: 'HTML page', mediaType: 'text/html; charset=utf-8' } },
    problems: [],
  }).handle(async () => {
    page ??= createDocsPage(document());
    served ??= staticDocument(page.html);
    const headers = { 'Content-Security-Policy': page.contentSecurityPolicy };
    return { status: 200, body: page.html, headers, document: await served };
  });
}
