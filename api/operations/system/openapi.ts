import { z } from 'zod';
import type { OpenApiDocument } from '../../contract/openapi.js';
import { defineOperation } from '../../contract/operation.js';

export const getOpenApi = (document: () => OpenApiDocument) =>
  defineOperation({
    operationID: 'GetOpenApi',
    method: 'GET',
    path: '/openapi.json',
    role: 'public',
    summary: 'Get the OpenAPI document',
    description: 'OpenAPI 3.1.',
    request: {},
    responses: { 200: { description: 'OpenAPI document', schema: z.record(z.string(), z.unknown()) } },
    problems: [],
  }).handle(async () => ({ status: 200, body: document() }));
