import { z } from 'zod';
import { listLimits } from '../../../store/work/limits/list-limits.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { pageQuery } from '../../contract/schemas.js';
import { maySeeKeys, toLimit } from './shared/limit.js';
import { limitPage } from './shared/schemas.js';

export const listJobLimits = defineOperation({
  operationID: 'ListLimits',
  method: 'GET',
  path: '/projects/{projectID}/limits',
  role: 'viewer',
  summary: 'List the limits of task types',
  description:
    'With the jobs that are leased and held back now, those of tests left out. Only admins get `keys`, because they are values of variables.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of limits, by task type', schema: limitPage } },
  problems: [],
}).handle(async ({ params: { projectID }, query, context, caller }) => {
  const withKeys = maySeeKeys(caller, projectID);
  const found = await listLimits(context.store, projectID, query);
  return { status: 200, body: pageResponse(query, found, (limit) => toLimit(limit, withKeys)) };
});
