/** Every text of a request has a limit, or a reason to have none but the size of the request. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { operations } from '../../api/operations/index.js';

interface Schema {
  type?: string;
  format?: string;
  pattern?: string;
  maxLength?: number;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $defs?: Record<string, Schema>;
}

/** Files, which only the size of a request limits. No index holds them. */
const files = [
  'ConvertBpmnModel body.ValidateBpmnResourceRequest.xml',
  'CreateBpmnResource body.CreateBpmnResourceRequest.xml',
  'CreateDefinition body.CreateDefinitionRequest.xml',
  'DeployBpmnBundle body.DeployBpmnBundleRequest.files[].content',
  'EvaluateDesign body.EvaluateDesignRequest.additionalXMLs[]',
  'EvaluateDesign body.EvaluateDesignRequest.xml',
  'EvaluateDesignBatch body.BatchEvaluateDesignRequest.xml',
  'UpdateBpmnResource body.CreateBpmnResourceRequest.xml',
  'UpdateDefinition body.UpdateDefinitionRequest.xml',
  'ValidateBpmnXml body.ValidateBpmnResourceRequest.xml',
];

/** Texts whose length the schema does not limit, by the path in the request. */
function unlimited(schema: Schema, path: string): string[] {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [], $defs = {} } = schema;
  const isText = schema.type === 'string' && schema.enum === undefined && schema.const === undefined;
  const isLimited = schema.maxLength !== undefined || schema.format !== undefined || isBounded(schema.pattern);
  return [
    ...(isText && !isLimited ? [path] : []),
    ...Object.entries({ ...properties, ...$defs }).flatMap(([name, each]) => unlimited(each, `${path}.${name}`)),
    ...(items ? unlimited(items, `${path}[]`) : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((each) => unlimited(each, path)),
  ];
}

/** Whether a pattern matches no text of unlimited length. */
function isBounded(pattern: string | undefined): boolean {
  return pattern !== undefined && pattern.startsWith('^') && pattern.endsWith('$') && !/[*+]|,\}/.test(pattern);
}

test('every text of a request has a limit', () => {
  const found = operations.flatMap(({ operationID, request }) => {
    const { query, body } = request as { query?: z.ZodType; body?: z.ZodType };
    return Object.entries({ query, body }).flatMap(([part, schema]) =>
      schema instanceof z.ZodType
        ? unlimited(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema, `${operationID} ${part}`)
        : [],
    );
  });
  expect([...new Set(found)].sort()).toEqual(files);
});
