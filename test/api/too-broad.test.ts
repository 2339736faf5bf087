/** Lists that Postgres cannot read in the time of a statement. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { definePages, defineList } from '../../api/commands/define-list.js';
import { pageOf } from '../../api/contract/schemas.js';
import { listBpmnIncidentGroups } from '../../api/operations/incidents/list-groups.js';
import { instanceFilters } from '../../store/instances/filters.js';

const item = z.object({ id: z.string() });
const declaration = {
  operationID: 'ListThings',
  path: '/projects/{projectID}/things',
  role: 'viewer',
  summary: 'List things',
  description: 'Lists things.',
  filters: instanceFilters,
  item,
  page: pageOf('Thing', item),
} as const;
const canceled = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
const rows = (error: Error) => ({
  page: () => Promise.reject(error),
  all: () => {
    throw error;
  },
  toItem: (row: { id: string }) => row,
});
const list = (error: Error, query: object) =>
  defineList({ ...declaration, sorts: ['createdAt', 'completedAt'] })
    .rows(rows(error))
    .handle({ query: { page: 1, pageSize: 20, order: 'desc', ...query } } as never);

it('a list that takes too long says with what, and how to narrow it', async () => {
  expect(await list(canceled, { failureReasonContains: 'host', sort: 'completedAt' })).toMatchObject({
    kind: 'problem',
    code: 'UNAVAILABLE',
    message:
      'The list took too long with failureReasonContains and sort=completedAt. To narrow it, add a filter that fewer entries match, such as createdAfter, createdBefore, completedAfter, or sort by createdAt.',
    details: { filters: ['failureReasonContains'] },
  });
  const problem = await list(canceled, { sort: 'createdAt' });
  expect(problem).toMatchObject({ message: expect.stringContaining('with no filter. To narrow it, add') });
  expect(problem).not.toHaveProperty('headers');
});

it('an earlier page is proposed only if there is one', async () => {
  const advice = (page: number) => list(canceled, { sort: 'createdAt', page });
  expect(await advice(1)).toMatchObject({ message: expect.stringMatching(/completedAfter\.$/) });
  expect(await advice(2)).toMatchObject({
    message: expect.stringMatching(/completedAfter, or read an earlier page\.$/),
  });
});

it('groups of incidents say it, too', async () => {
  const store = { query: () => Promise.reject(canceled) };
  const query = { status: 'open', page: 3, pageSize: 20 };
  const given = { params: { projectID: 'shop' }, query, context: { store } };
  expect(await listBpmnIncidentGroups.handle(given as never)).toMatchObject({
    code: 'UNAVAILABLE',
    message:
      'The list took too long with status. To narrow it, add a filter that fewer entries match, such as since, until.',
  });
});

it('a list in one order says it, too', async () => {
  const operation = definePages(declaration).rows(rows(canceled));
  expect(await operation.handle({ query: { page: 9, pageSize: 20 } } as never)).toMatchObject({ code: 'UNAVAILABLE' });
});

it('any other failure stays what it is', async () => {
  await expect(list(new Error('the connection is gone'), { sort: 'createdAt' })).rejects.toThrow(
    'the connection is gone',
  );
});
