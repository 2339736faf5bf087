import { expect, test } from 'vitest';
import { z } from 'zod';
import { operations } from '../../api/operations/index.js';

const upper = 'A1B2C3D4-0000-4000-8000-00000000000F';

test('every generated id in a path or a query can be in upper case, and is the id in lower case', () => {
  const ids = operations.flatMap(({ operationID, request }) => {
    const { params = {}, query } = request as { params?: Record<string, z.ZodType>; query?: z.ZodType };
    const fields = { ...params, ...(query instanceof z.ZodObject ? query.shape : {}) } as Record<string, z.ZodType>;
    return Object.entries(fields)
      .filter(([, schema]) => schema.safeParse(upper).success && !schema.safeParse('other').success)
      .map(([name, schema]) => [`${operationID} ${name}`, schema.parse(upper)]);
  });
  expect(ids.length).toBeGreaterThan(30);
  expect(ids.filter(([, id]) => id !== upper.toLowerCase())).toEqual([]);
});
