import { changesBetween } from '../../../store/audit/details.js';
import { countLeases, writeLimit } from '../../../store/work/limits/limits.js';
import { findLimit, withUsage } from '../../../store/work/limits/list-limits.js';
import { recorded } from '../../audit/recording.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { openProject } from '../projects/shared/project.js';
import { limitDetails, toLimit } from './shared/limit.js';
import { limit, putLimitRequest, taskType } from './shared/schemas.js';

export const putJobLimit = defineOperation({
  operationID: 'PutLimit',
  method: 'PUT',
  path: '/projects/{projectID}/limits/{taskType}',
  role: 'admin',
  records: { entry: 'within', says: onlyItsPath },
  summary: 'Limit the jobs of a task type',
  description:
    'Replaces the whole limit. `concurrent`: the number of jobs of the type with the same limit key that can be leased at once, those included that are leased already. ' +
    '`rate`: in any window of `per`, at most `count` of them are leased, counted from the first request that gave the type a rate. ' +
    'A change acts on the next lease and ends none. Jobs that a limit holds back stay pending.',
  request: { params: { taskType }, body: putLimitRequest },
  responses: { 200: { description: 'Limit replaced', schema: limit } },
  problems: [],
}).handle(async (input) => {
  const { params, body, context, caller } = input;
  const { projectID } = params;
  const rate = body.rate && { count: body.rate.count, perMilliseconds: body.rate.per };
  const written = await recorded(input, async (store) => {
    await openProject({ ...context, store }, caller, projectID);
    const before = await findLimit(store, projectID, params.taskType);
    const change = { projectID, taskType: params.taskType, concurrent: body.concurrent, rate, actor: caller.subject };
    await writeLimit(store, change);
    const after = await findLimit(store, projectID, params.taskType);
    const details = { taskType: params.taskType, ...changesBetween(limitDetails(before), limitDetails(after)) };
    return { status: 200, body: after!, audit: { details } };
  });
  // Outside of the transaction, which polls would wait for.
  await countLeases(context.store, projectID, params.taskType);
  return { status: 200, body: toLimit(await withUsage(context.store, projectID, written.body), true) };
});
