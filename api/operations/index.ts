/** Every operation of the API. Add a line here: routes, documentation, and access tests are derived from this list. */
import type { Operation } from '../commands/operation.js';
import { listBpmnAgentTurns } from './ad-hoc/list-agent-turns.js';
import { setBpmnAdHocVariables } from './ad-hoc/set-variables.js';
import { triggerBpmnAdHocNode } from './ad-hoc/trigger.js';
import { listAuditEntries } from './audit/list.js';
import { listOrganizationAuditEntries } from './audit/list-organization.js';
import { deployFromModeler } from './camunda8/deploy.js';
import { getCamundaTopology } from './camunda8/get-topology.js';
import { getBpmnCommand } from './commands/get.js';
import { evaluateBpmnConditionals } from './conditionals/evaluate.js';
import { getBpmnStartForm } from './definitions/get-form.js';
import { getBpmnDefinitionNodes } from './definitions/get-nodes.js';
import { getBpmnDefinitionXml } from './definitions/get-xml.js';
import { getBpmnDefinition } from './definitions/get.js';
import { deployBpmnBundle } from './deployments/deploy.js';
import { getBpmnDeployment } from './deployments/get.js';
import { listBpmnDeployments } from './deployments/list.js';
import { dmnOperations } from './dmn/index.js';
import { listElementTemplates } from './element-templates/list.js';
import { listEvents } from './events/list.js';
import { createEventSubscription } from './events/subscriptions/create.js';
import { deleteEventSubscription } from './events/subscriptions/delete.js';
import { getEventSubscription } from './events/subscriptions/get.js';
import { listDeadLetters } from './events/subscriptions/list-dead-letters.js';
import { listEventSubscriptions } from './events/subscriptions/list.js';
import { redeliverDeadLetters } from './events/subscriptions/redeliver.js';
import { updateEventSubscription } from './events/subscriptions/update.js';
import { completeBpmnExternalJobsBatch } from './external-jobs/complete-batch.js';
import { completeBpmnExternalJob } from './external-jobs/complete.js';
import { throwBpmnExternalJobErrorsBatch } from './external-jobs/error-batch.js';
import { throwBpmnExternalJobError } from './external-jobs/error.js';
import { heartbeatBpmnExternalJob } from './external-jobs/heartbeat.js';
import { listBpmnInstanceExternalJobs } from './external-jobs/list-of-instance.js';
import { listBpmnExternalJobs } from './external-jobs/list.js';
import { pollBpmnExternalJobs } from './external-jobs/poll.js';
import { getBpmnExternalJobsQueueDepth } from './external-jobs/queue-depth.js';
import { updateBpmnExternalJob } from './external-jobs/update.js';
import { listBpmnExternalJobWorkers } from './external-jobs/workers.js';
import { createHook } from './hooks/create.js';
import { deleteHook } from './hooks/delete.js';
import { getHook } from './hooks/get.js';
import { listHookDeliveries } from './hooks/list-deliveries.js';
import { listHooks } from './hooks/list.js';
import { redeliverHookDelivery } from './hooks/redeliver.js';
import { updateHook } from './hooks/update.js';
import { listBpmnInstanceIncidents } from './incidents/list-of-instance.js';
import { listBpmnIncidentGroups } from './incidents/list-groups.js';
import { listBpmnIncidents } from './incidents/list.js';
import { resolveBpmnIncident } from './incidents/resolve.js';
import { getBpmnForm } from './forms/get.js';
import { listBpmnForms } from './forms/list.js';
import { cancelBpmnInstance } from './instances/cancel.js';
import { eraseBpmnInstance } from './instances/erase.js';
import { getBpmnInstanceEngineState } from './instances/get-state.js';
import { redactBpmnVariables } from './instances/redact.js';
import { getBpmnInstanceVariables } from './instances/get-variables.js';
import { getBpmnInstance } from './instances/get.js';
import { getBpmnInstanceResult } from './instances/get-result.js';
import { getBpmnInstanceChildren } from './instances/list-children.js';
import { listBpmnInstanceHistory } from './instances/list-history.js';
import { listBpmnInstanceTimeline } from './instances/list-timeline.js';
import { listBpmnInstanceWaits } from './instances/list-waits.js';
import { listBpmnInstances } from './instances/list.js';
import { listBpmnInstanceFacts } from './instances/list-facts.js';
import { evaluateBpmnExpression } from './instances/evaluate.js';
import { replayBpmnInstance } from './instances/replay.js';
import { updateBpmnInstanceVariables } from './instances/set-variables.js';
import { importBpmnInstance } from './instances/import.js';
import { restartBpmnInstance } from './instances/restart.js';
import { startBpmnInstance } from './instances/start.js';
import { callMcp } from './mcp/call.js';
import { deleteBpmnPublication } from './messages/delete-publication.js';
import { getBpmnPublication } from './messages/get-publication.js';
import { listBpmnPublications } from './messages/list-publications.js';
import { listBpmnSubscriptions } from './messages/list-subscriptions.js';
import { publishBpmnMessage } from './messages/publish.js';
import { cancelBpmnBacktest } from './backtests/cancel.js';
import { createBpmnBacktest } from './backtests/create.js';
import { createBpmnDraftBacktest } from './backtests/create-of-draft.js';
import { getBpmnBacktest } from './backtests/get.js';
import { getBpmnBacktestItem } from './backtests/get-item.js';
import { getBpmnBacktestItemPositions } from './backtests/get-item-positions.js';
import { listBpmnBacktestItems } from './backtests/list-items.js';
import { listBpmnBacktests } from './backtests/list.js';
import { cancelBpmnBatch } from './batches/cancel.js';
import { createBpmnBatch } from './batches/create.js';
import { getBpmnBatch } from './batches/get.js';
import { listBpmnBatchItems } from './batches/list-items.js';
import { listBpmnBatches } from './batches/list.js';
import { pauseBpmnBatch } from './batches/pause.js';
import { resumeBpmnBatch } from './batches/resume.js';
import { getBpmnMigration } from './migration/get.js';
import { migrateBpmnInstances } from './migration/migrate-many.js';
import { migrateBpmnInstance } from './migration/migrate.js';
import { validateBpmnInstancesMigration } from './migration/validate-many.js';
import { validateBpmnInstanceMigration } from './migration/validate.js';
import { modifyBpmnInstance } from './modification/modify.js';
import { getBpmnProcessSettings } from './processes/get-settings.js';
import { putBpmnProcessSettings } from './processes/put-settings.js';
import { listBpmnProcessVersions } from './processes/list-versions.js';
import { listBpmnProcesses } from './processes/list.js';
import { changeProjectSettings } from './projects/change-settings.js';
import { createProject } from './projects/create.js';
import { deleteProjectMember } from './projects/delete-member.js';
import { deleteProject } from './projects/delete.js';
import { getProjectSettings } from './projects/get-settings.js';
import { getProject } from './projects/get.js';
import { listProjectMembers } from './projects/list-members.js';
import { listAllProjects } from './projects/list.js';
import { putProjectMember } from './projects/put-member.js';
import { listSecrets } from './secrets/list.js';
import { convertBpmnModel } from './resources/convert.js';
import { createBpmnResource } from './resources/create.js';
import { deleteBpmnResource } from './resources/delete.js';
import { deployBpmnResource } from './resources/deploy.js';
import { getBpmnResource } from './resources/get.js';
import { listBpmnResourcesByDefinitionsID } from './resources/list-by-definitions-id.js';
import { listLatestBpmnResources } from './resources/list-latest.js';
import { listBpmnResources } from './resources/list.js';
import { startBpmnTestInstance } from './resources/test.js';
import { updateBpmnResource } from './resources/update.js';
import { validateBpmnXml } from './resources/validate.js';
import { searchBpmnInstances } from './search/search.js';
import { publishBpmnSignal } from './signals/publish.js';
import { getBpmnProcessStatistics } from './statistics/get-process.js';
import { getBpmnStatistics } from './statistics/get-project.js';
import { getBpmnStatisticsTrend } from './statistics/get-project-trend.js';
import { deleteJobLimit } from './limits/delete.js';
import { listJobLimits } from './limits/list.js';
import { putJobLimit } from './limits/put.js';
import { getBpmnTargets } from './targets/get.js';
import { putBpmnTargets } from './targets/put.js';
import { runBpmnStartTimer } from './start-timers/run.js';
import { skipBpmnStartTimer } from './start-timers/skip.js';
import { fireBpmnInstanceTimer } from './timers/fire.js';
import { updateBpmnInstanceTimer } from './timers/update.js';
import { addBpmnUserTaskComment } from './user-tasks/add-comment.js';
import { claimBpmnUserTask } from './user-tasks/claim.js';
import { completeBpmnUserTask } from './user-tasks/complete.js';
import { throwBpmnUserTaskError } from './user-tasks/error.js';
import { getBpmnUserTaskForm } from './user-tasks/get-form.js';
import { getBpmnUserTask } from './user-tasks/get.js';
import { listBpmnUserTaskComments } from './user-tasks/list-comments.js';
import { listBpmnUserTasksForCaller } from './user-tasks/list-mine.js';
import { listBpmnInstanceUserTasks } from './user-tasks/list-of-instance.js';
import { listBpmnUserTasks } from './user-tasks/list.js';
import { unclaimBpmnUserTask } from './user-tasks/unclaim.js';
import { updateBpmnUserTaskAssignment } from './user-tasks/update.js';
import { getBpmnInstanceSuspension } from './suspension/get.js';
import { resumeBpmnDefinition } from './suspension/resume-definition.js';
import { resumeBpmnInstance } from './suspension/resume-instance.js';
import { suspendBpmnDefinition } from './suspension/suspend-definition.js';
import { suspendBpmnInstance } from './suspension/suspend-instance.js';
import { getDocs } from './system/docs.js';
import { getHealth } from './system/health.js';
import { getOpenApi } from './system/openapi.js';
import { getScenarioSchema } from './system/scenario-schema.js';
import { getReadiness } from './system/ready.js';
import { documentOf } from './system/shared/document.js';
import { getVersion } from './system/version.js';

const document = documentOf(() => operations);

export const operations: readonly Operation[] = [
  getVersion,
  getHealth,
  getReadiness,
  createProject,
  deleteProject,
  getProject,
  listAllProjects,
  getProjectSettings,
  changeProjectSettings,
  listProjectMembers,
  putProjectMember,
  listSecrets,
  createHook,
  listHooks,
  getHook,
  updateHook,
  deleteHook,
  listHookDeliveries,
  redeliverHookDelivery,
  listEvents,
  createEventSubscription,
  listEventSubscriptions,
  getEventSubscription,
  updateEventSubscription,
  deleteEventSubscription,
  listDeadLetters,
  redeliverDeadLetters,
  deleteProjectMember,
  createBpmnResource,
  deleteBpmnResource,
  deployBpmnResource,
  getBpmnResource,
  listBpmnResourcesByDefinitionsID,
  listLatestBpmnResources,
  listBpmnResources,
  startBpmnTestInstance,
  updateBpmnResource,
  validateBpmnXml,
  convertBpmnModel,
  deployBpmnBundle,
  listBpmnDeployments,
  getBpmnDeployment,
  deployFromModeler,
  getCamundaTopology,
  listBpmnForms,
  getBpmnForm,
  listElementTemplates,
  listBpmnProcessVersions,
  listBpmnProcesses,
  getBpmnProcessSettings,
  putBpmnProcessSettings,
  getBpmnProcessStatistics,
  getBpmnStatistics,
  getBpmnStatisticsTrend,
  listJobLimits,
  putJobLimit,
  deleteJobLimit,
  getBpmnTargets,
  putBpmnTargets,
  getBpmnDefinitionXml,
  getBpmnDefinition,
  getBpmnDefinitionNodes,
  getBpmnStartForm,
  suspendBpmnDefinition,
  resumeBpmnDefinition,
  cancelBpmnInstance,
  eraseBpmnInstance,
  redactBpmnVariables,
  getBpmnInstanceVariables,
  getBpmnInstance,
  getBpmnInstanceResult,
  getBpmnInstanceChildren,
  listBpmnInstanceHistory,
  listBpmnInstanceTimeline,
  listBpmnInstanceWaits,
  listBpmnInstances,
  searchBpmnInstances,
  replayBpmnInstance,
  getBpmnInstanceEngineState,
  evaluateBpmnExpression,
  listBpmnInstanceFacts,
  updateBpmnInstanceVariables,
  restartBpmnInstance,
  importBpmnInstance,
  startBpmnInstance,
  suspendBpmnInstance,
  resumeBpmnInstance,
  getBpmnInstanceSuspension,
  migrateBpmnInstance,
  validateBpmnInstanceMigration,
  migrateBpmnInstances,
  validateBpmnInstancesMigration,
  getBpmnMigration,
  createBpmnBacktest,
  createBpmnDraftBacktest,
  listBpmnBacktests,
  getBpmnBacktest,
  listBpmnBacktestItems,
  getBpmnBacktestItem,
  getBpmnBacktestItemPositions,
  cancelBpmnBacktest,
  createBpmnBatch,
  listBpmnBatches,
  getBpmnBatch,
  listBpmnBatchItems,
  pauseBpmnBatch,
  resumeBpmnBatch,
  cancelBpmnBatch,
  modifyBpmnInstance,
  triggerBpmnAdHocNode,
  listBpmnAgentTurns,
  setBpmnAdHocVariables,
  updateBpmnInstanceTimer,
  fireBpmnInstanceTimer,
  skipBpmnStartTimer,
  runBpmnStartTimer,
  listAuditEntries,
  listOrganizationAuditEntries,
  getBpmnCommand,
  listBpmnInstanceIncidents,
  listBpmnIncidentGroups,
  listBpmnIncidents,
  resolveBpmnIncident,
  completeBpmnExternalJobsBatch,
  completeBpmnExternalJob,
  throwBpmnExternalJobErrorsBatch,
  throwBpmnExternalJobError,
  heartbeatBpmnExternalJob,
  updateBpmnExternalJob,
  listBpmnInstanceExternalJobs,
  listBpmnExternalJobs,
  pollBpmnExternalJobs,
  getBpmnExternalJobsQueueDepth,
  listBpmnExternalJobWorkers,
  evaluateBpmnConditionals,
  publishBpmnMessage,
  publishBpmnSignal,
  listBpmnPublications,
  getBpmnPublication,
  deleteBpmnPublication,
  listBpmnSubscriptions,
  completeBpmnUserTask,
  throwBpmnUserTaskError,
  getBpmnUserTask,
  getBpmnUserTaskForm,
  listBpmnUserTasksForCaller,
  listBpmnInstanceUserTasks,
  listBpmnUserTasks,
  updateBpmnUserTaskAssignment,
  claimBpmnUserTask,
  unclaimBpmnUserTask,
  addBpmnUserTaskComment,
  listBpmnUserTaskComments,
  callMcp,
  ...dmnOperations,
  getOpenApi(document),
  getScenarioSchema,
  getDocs(document),
];
