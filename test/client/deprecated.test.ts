import { expect, test } from 'vitest';
import { answerOf, ApiError, RefusedCall, unwrap } from '@perdure/client';

test('the former names answerOf and RefusedCall are the same function and class', () => {
  expect(answerOf).toBe(unwrap);
  expect(new ApiError(404)).toBeInstanceOf(RefusedCall);
});
