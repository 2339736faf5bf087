import { z } from 'zod';
import type { OpenApiDocument } from '../../contract/openapi.js';
import { defineOperation } from '../../commands/define-operation.js';
import type { Operation } from '../../commands/operation.js';
import { staticDocument, type StaticDocument } from '../../http/response/static-document.js';

export function getOpenApi(document: () => OpenApiDocument): Operation {
  let served: Promise<StaticDocument> | undefined;
  return defineOperation({
    operationID: 'GetOpenApi',
    method: 'GET',
    path: '/openapi.json',
    role: 'public',
    summary: 'Get the OpenAPI document',
    description: 'OpenAPI 3.1.',
    request: {},
    responses: { 200: { description: 'OpenAPI document', schema: z.record(z.string(), z.unknown()) } },
    problems: [],
  }).handle(async () => {
    served ??= staticDocument(JSON.stringify(document()));
    return { status: 200, body: document(), document: await served };
  });
}
