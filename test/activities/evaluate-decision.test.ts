import { expect, test } from 'vitest';
import { MAX_RESULT_BYTES } from '../../activities/decision-outcome.js';
import { evaluateDecision } from '../../activities/evaluate-decision.js';
import type { Database } from '../../store/sql/database.js';
import type { ModelCache } from '@perdure/dmn';
import { MAX_VARIABLES_BYTES } from '@perdure/engine/behaviors/lifecycle/size.js';
import { decision, dmn, input, literal, load, NOW } from '../dmn/support.js';

const model = load(dmn(input('text') + decision('d', literal('text'), { requires: ['input_text'] })));
const store = { query: () => Promise.resolve({ rows: [{ definitionID: 'any', version: 3 }] }) } as unknown as Database;
const models = { get: () => Promise.resolve(model) } as unknown as ModelCache;

const resultOf = (text: string) =>
  evaluateDecision(store, models, {
    projectID: 'p',
    workflowID: 'w',
    decisionID: 'd',
    binding: { kind: 'latest' },
    variables: { text },
    now: NOW,
  });

test('the result of a business rule task may take what the variables of an instance may', () => {
  expect(MAX_RESULT_BYTES).toBe(MAX_VARIABLES_BYTES);
});

test('the result of a business rule task is measured in bytes of UTF-8', async () => {
  // Two more bytes are the quotation marks.
  const fits = 'é'.repeat(MAX_RESULT_BYTES / 2 - 1);
  expect(await resultOf(fits)).toMatchObject({ status: 'EVALUATED', value: fits });
  expect(await resultOf(`${fits}a`)).toEqual({
    status: 'FAILED',
    errorType: 'FeelError',
    errorCode: 'BUDGET',
    message:
      'Decision "d" in version 3: the result takes 1048577 bytes, but the limit for the variables of an instance is 1048576. Return less, for instance only the ids of what was found.',
  });
});
