import { expect, it } from 'vitest';
import { refusalOf } from '../../../connectors/nexus/refusals.js';
import { repeatedUntil } from '../../../connectors/nexus/repeats.js';

const DAY = 24 * 60 * 60 * 1000;
const after = (headers: Record<string, string>) => repeatedUntil({ headers }, 0).getTime();

it('a request is remembered for as long as Temporal may repeat it', () => {
  expect(after({ 'operation-timeout': '90000ms' })).toBe(90_000);
  expect(after({ 'operation-timeout': '1.5m' })).toBe(90_000);
  expect(after({ 'operation-timeout': '48h' })).toBe(2 * DAY);
  expect(after({})).toBe(365 * DAY);
  expect(after({ 'operation-timeout': 'soon' })).toBe(365 * DAY);
  expect(after({ 'operation-timeout': '999999999999h' })).toBe(3650 * DAY);
});

it.each([
  [400, 'BAD_REQUEST', 'BAD_REQUEST', false],
  [404, 'NOT_FOUND', 'NOT_FOUND', false],
  [409, 'DEFINITION_SUSPENDED', 'BAD_REQUEST', false],
  [413, 'PAYLOAD_TOO_LARGE', 'BAD_REQUEST', false],
  [429, 'TOO_MANY_REQUESTS', 'RESOURCE_EXHAUSTED', true],
  [500, 'INTERNAL_ERROR', 'INTERNAL', true],
  [503, 'UNAVAILABLE', 'UNAVAILABLE', true],
])('a refusal with %d %s is %s for Nexus, and repeated: %s', (status, code, type, retryable) => {
  const error = refusalOf({ kind: 'refused', status, code, message: 'no', details: { workflowID: 'w1' } });
  expect(error).toMatchObject({ type, retryable, message: `${code}: no` });
  expect(error.cause).toMatchObject({ type: code, nonRetryable: !retryable, details: [{ workflowID: 'w1' }] });
});
