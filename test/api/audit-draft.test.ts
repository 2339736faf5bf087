import { expect, test } from 'vitest';
import { defineOperation } from '../../api/commands/define-operation.js';
import { auditDraft } from '../../api/audit/draft.js';
import type { Caller } from '../../api/access/caller.js';

test('the entry of a request about a job or a user task names its instance', () => {
  const draft = auditDraft({
    operationID: 'AddBpmnUserTaskComment',
    requestID: 'r',
    via: 'REST',
    caller: { subject: 'ann', isServiceAccount: false } as Caller,
    params: { projectID: 'p', executionKey: 'order:17:3' },
    query: {},
    body: { text: 'looks fine' },
    content: {},
  });
  expect(draft).toMatchObject({ executionKey: 'order:17:3', workflowID: 'order:17' });
  expect(JSON.stringify(draft)).not.toContain('fine');
});

test('an operation that is neither a read nor in the list does not compile without the content of its entry', () => {
  const declared = {
    method: 'POST',
    path: '/projects/{projectID}/things',
    role: 'editor',
    summary: 'Make a thing',
    request: {},
    responses: { 204: { description: 'Made' } },
    problems: [],
  } as const;
  const handler = async () => ({ status: 204 }) as const;
  // @ts-expect-error it has no `records`
  defineOperation({ ...declared, operationID: 'MakeThing' }).handle(handler);
  defineOperation({ ...declared, operationID: 'CallMcp' }).handle(handler);
  const made = defineOperation({
    ...declared,
    operationID: 'MakeThing',
    records: { entry: 'around', says: ({ params }) => ({ details: { project: params.projectID } }) },
  }).handle(handler);
  expect(made.records?.says({ params: { projectID: 'p1' }, query: {}, body: undefined })).toEqual({
    details: { project: 'p1' },
  });
});
