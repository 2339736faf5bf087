import { formatDuration } from '@perdure/lib/duration.js';
import { AGES_HOURS } from '../../../store/statistics/running-instances.js';
import { HOUR } from '../../../store/statistics/range.js';
import { defineOperation } from '../../commands/define-operation.js';
import { optionalTime, time } from '../../contract/wire.js';
import { projectStatistics } from './shared/schemas.js';

export const getBpmnStatistics = defineOperation({
  operationID: 'GetBpmnStatistics',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/statistics',
  role: 'viewer',
  summary: 'Get the numbers of a project',
  description: 'At most 10 seconds old. Tests of drafts are not counted.',
  request: {},
  responses: { 200: { description: 'Numbers of the project', schema: projectStatistics } },
  problems: [],
}).handle(async ({ params: { projectID }, context }) => {
  const found = await context.statistics.of(projectID, context.store);
  return {
    status: 200,
    body: {
      asOf: time(found.asOf),
      instances: {
        running: found.running,
        paused: found.paused,
        withIncident: found.withIncident,
        overTarget: found.overTarget,
      },
      openIncidents: found.openIncidents,
      userTasks: { open: found.openTasks, unassigned: found.unassignedTasks, overdue: found.overdueTasks },
      jobs: { pending: found.pendingJobs, oldestAvailableAt: optionalTime(found.oldestAvailableAt) },
      keptMessages: found.keptMessages,
      last24Hours: found.last24Hours,
      runningByAge: found.runningByAge.map((count, index) => ({
        olderThan: formatDuration(AGES_HOURS[index]! * HOUR),
        count,
      })),
      slowestNodes: found.slowestNodes,
    },
  };
});
