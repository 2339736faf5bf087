import { FairTurns } from '@perdure/lib/fair-turns.js';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { isExcess } from '../../../api/contract/variables.js';
import { readJsonBody } from '../../../api/http/request/input.js';
import { operations } from '../../../api/operations/index.js';
import { MAX_VARIABLES_BYTES } from '@perdure/engine/behaviors/lifecycle/size.js';

const fitting = { text: 'x'.repeat(MAX_VARIABLES_BYTES - '{"text":""}'.length) };
const tooMany = { text: `${fitting.text}x` };

/** These measure the variables in their handlers. */
const inHandler = ['CompleteBpmnUserTask', 'ThrowBpmnUserTaskError'];
/** Their `variables` are an expression. */
const withExpression = ['CreateHook', 'UpdateHook'];

const withVariables = operations.filter(
  ({ operationID, request }) =>
    request.body && takesVariables(request.body) && ![...inHandler, ...withExpression].includes(operationID),
);

describe.each(withVariables)('$operationID', ({ request }) => {
  test('accepts variables that an instance can hold, and refuses one byte more', () => {
    expect(excesses(request.body!, { variables: fitting })).toEqual([]);
    expect(excesses(request.body!, { variables: tooMany })).toEqual([['variables']]);
  });
});

test('instructions of a modification share the limit of an instance', () => {
  const { request } = named('ModifyBpmnInstance');
  const half = { text: 'x'.repeat(MAX_VARIABLES_BYTES / 2) };
  const instruction = { type: 'START_BEFORE_NODE', nodeID: 'a', variables: half };
  expect(excesses(request.body!, { instructions: [instruction] })).toEqual([]);
  expect(excesses(request.body!, { instructions: [instruction, instruction] })).toEqual([['instructions']]);
});

test('too many variables are 413, but a body with another mistake is 400', async () => {
  const start = named('StartBpmnInstance');
  const definition = { processDefinitionID: '00000000-0000-0000-0000-000000000000' };
  expect(await readJsonBody(start, post({ ...definition, variables: tooMany }), unlimited)).toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
    message: expect.stringContaining(`limit of an instance is ${MAX_VARIABLES_BYTES}`),
  });
  expect(
    await readJsonBody(start, post({ ...definition, businessId: 5, variables: tooMany }), unlimited),
  ).toMatchObject({
    code: 'BAD_REQUEST',
    details: { issues: expect.arrayContaining([expect.objectContaining({ path: '/businessId' })]) },
  });
});

const unlimited = {
  maximumBytes: Infinity,
  spend: () => undefined,
  spendValues: () => undefined,
  turns: new FairTurns().of({ caller: 'c', project: undefined }),
  count: () => undefined,
};

function named(operationID: string) {
  return operations.find((operation) => operation.operationID === operationID)!;
}

/** With values; a list of names is not an object. */
function takesVariables(body: z.ZodType): boolean {
  return issuesOf(body, { variables: [] }).some(({ code, path }) => code === 'invalid_type' && path[0] === 'variables');
}

function excesses(body: z.ZodType, value: unknown): PropertyKey[][] {
  return issuesOf(body, value)
    .filter(isExcess)
    .map(({ path }) => path);
}

function issuesOf(body: z.ZodType, value: unknown): z.core.$ZodIssue[] {
  return body.safeParse(value).error?.issues ?? [];
}

function post(body: unknown): Request {
  const headers = { 'content-type': 'application/json' };
  return new Request('http://api', { method: 'POST', headers, body: JSON.stringify(body) });
}
