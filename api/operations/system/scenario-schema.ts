import { z } from 'zod';
import { scenarioSchema } from '@perdure/testkit/scenario/schema.js';
import { defineOperation } from '../../commands/define-operation.js';
import { staticDocument, type StaticDocument } from '../../http/response/static-document.js';

let served: Promise<StaticDocument> | undefined;

export const getScenarioSchema = defineOperation({
  operationID: 'GetScenarioSchema',
  method: 'GET',
  path: '/schemas/scenario.json',
  role: 'public',
  summary: 'Get the JSON Schema of scenarios',
  description:
    'Scenarios are tests of processes; `perdure test` runs them. Editors check and complete files with the schema.',
  request: {},
  responses: { 200: { description: 'JSON Schema, draft 2020-12', schema: z.record(z.string(), z.unknown()) } },
  problems: [],
}).handle(async () => {
  served ??= staticDocument(JSON.stringify(scenarioSchema));
  return { status: 200, body: { ...scenarioSchema }, document: await served };
});
