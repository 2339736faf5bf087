import { expect, test } from 'vitest';
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
  });
  expect(draft).toMatchObject({ executionKey: 'order:17:3', workflowID: 'order:17' });
  expect(JSON.stringify(draft)).not.toContain('fine');
});
