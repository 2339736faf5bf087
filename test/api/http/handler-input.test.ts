import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineOperation } from '../../../api/commands/define-operation.js';
import { startTestApi } from '../support/api.js';

const copying = defineOperation({
  operationID: 'Copying',
  method: 'GET',
  path: '/projects/{projectID}/copies',
  role: 'viewer',
  summary: 'Copies what the handler got.',
  request: {},
  responses: { 200: { description: 'The subject of the caller.', schema: z.unknown() } },
  problems: [],
}).handle(async (input) => {
  const { caller, params } = { ...input };
  return { status: 200, body: { subject: caller.subject, projectID: params.projectID } };
});

// Without the caller, an inbox would show the tasks of all callers.
test('a copy of the input of a handler has its caller and its project', async () => {
  const api = await startTestApi({ operations: [copying] });
  try {
    const token = await api.issuer.sign({ sub: 'ann', projects: [{ id: 'p1', roles: ['viewer'] }] });
    const response = await api.request('GET', '/projects/p1/copies', { token });
    expect(await response.json()).toEqual({ subject: 'ann', projectID: 'p1' });
  } finally {
    await api.close();
  }
});
