/** All commands, in the order of the help. Help, completion, and docs/command-line.md come from this table. */
import type { Command } from '../command.js';
import { backtest } from './backtests/backtest.js';
import { cancelBacktest } from './backtests/cancel.js';
import { listBacktests, showBacktest } from './backtests/read.js';
import { cancelBatch, pauseBatch, resumeBatch } from './batch/control.js';
import { createBatch } from './batch/create.js';
import { listBatches } from './batch/list.js';
import { showBatch } from './batch/show.js';
import { audit } from './audit.js';
import { completion } from './completion.js';
import { convert } from './convert.js';
import { resumeDefinition } from './definitions/resume.js';
import { suspendDefinition } from './definitions/suspend.js';
import { deploy } from './deploy.js';
import { listDeployments } from './deployments/list.js';
import { showDeployment } from './deployments/show.js';
import { listTemplates } from './deployments/templates.js';
import { dev } from './dev.js';
import { events } from './events.js';
import { listForms } from './forms/list.js';
import { showForm } from './forms/show.js';
import { createHook, deleteHook, redeliver, updateHook } from './hooks/change.js';
import { listDeliveries, listHooks, showHook } from './hooks/read.js';
import { listIncidentGroups } from './incidents/groups.js';
import { listIncidents } from './incidents/list.js';
import { resolveIncident } from './incidents/resolve.js';
import { showIncident } from './incidents/show.js';
import { cancel } from './instance/cancel.js';
import { erase } from './instance/erase.js';
import { evaluate } from './instance/evaluate.js';
import { migrate } from './instance/migrate.js';
import { modify } from './instance/modify.js';
import { redact } from './instance/redact.js';
import { importInstances } from './instance/import.js';
import { restart } from './instance/restart.js';
import { resume } from './instance/resume.js';
import { showInstance } from './instance/show.js';
import { suspend } from './instance/suspend.js';
import { completeJob } from './jobs/complete.js';
import { failJob } from './jobs/fail.js';
import { listJobs } from './jobs/list.js';
import { countJobs } from './jobs/queue.js';
import { retryJob } from './jobs/retry.js';
import { listTurns } from './jobs/turns.js';
import { listWorkers } from './jobs/workers.js';
import { deleteLimit, listLimits, putLimit } from './limits/limits.js';
import { lint } from './lint.js';
import { list } from './list.js';
import { message } from './messages/message.js';
import { addProfile } from './profile/add.js';
import { listProfilesCommand } from './profile/list.js';
import { useProfileCommand } from './profile/use.js';
import { messages } from './messages/messages.js';
import { setSettings, showSettings } from './processes/settings.js';
import { replay } from './replay.js';
import { search } from './search.js';
import { listSecrets, showSecret } from './secrets/secrets.js';
import { signal } from './messages/signal.js';
import { start } from './start.js';
import { waits } from './instance/waits.js';
import {
  createSubscription,
  deleteSubscription,
  redeliverDeadLetters,
  updateSubscription,
} from './subscriptions/change.js';
import { listDeadLetters, listSubscriptions, showSubscription } from './subscriptions/read.js';
import { fireTimer, updateTimer } from './timers/change.js';
import { runStartTimer, skipStartTimer } from './timers/start.js';
import { claimTask } from './tasks/claim.js';
import { commentOnTask } from './tasks/comment.js';
import { completeTask } from './tasks/complete.js';
import { failTask } from './tasks/fail.js';
import { listTasks } from './tasks/list.js';
import { listMyTasks } from './tasks/mine.js';
import { showTask } from './tasks/show.js';
import { unclaimTask } from './tasks/unclaim.js';
import { test } from './scenarios/test.js';
import { getVariables } from './variables/get.js';
import { setVariables } from './variables/set.js';
import { watch } from './watch.js';

export const commands: readonly Command[] = [
  dev,
  lint,
  test,
  backtest,
  convert,
  deploy,
  start,
  list,
  search,
  showInstance,
  watch,
  events,
  waits,
  replay,
  evaluate,
  cancel,
  restart,
  importInstances,
  suspend,
  resume,
  migrate,
  modify,
  redact,
  erase,
  messages,
  message,
  signal,
  getVariables,
  setVariables,
  listIncidents,
  listIncidentGroups,
  showIncident,
  resolveIncident,
  listBacktests,
  showBacktest,
  cancelBacktest,
  createBatch,
  listBatches,
  showBatch,
  pauseBatch,
  resumeBatch,
  cancelBatch,
  listJobs,
  countJobs,
  listWorkers,
  completeJob,
  failJob,
  retryJob,
  listTurns,
  listLimits,
  putLimit,
  deleteLimit,
  listTasks,
  listMyTasks,
  showTask,
  claimTask,
  unclaimTask,
  completeTask,
  failTask,
  commentOnTask,
  audit,
  updateTimer,
  fireTimer,
  skipStartTimer,
  runStartTimer,
  listDeployments,
  showDeployment,
  listTemplates,
  listForms,
  showForm,
  listHooks,
  showHook,
  createHook,
  updateHook,
  deleteHook,
  listDeliveries,
  redeliver,
  listSubscriptions,
  showSubscription,
  createSubscription,
  updateSubscription,
  deleteSubscription,
  listDeadLetters,
  redeliverDeadLetters,
  listSecrets,
  showSecret,
  suspendDefinition,
  resumeDefinition,
  showSettings,
  setSettings,
  listProfilesCommand,
  useProfileCommand,
  addProfile,
  completion,
];

/** One phrase for each first word that several commands share. */
export const groups: { readonly [name: string]: string } = {
  variables: 'Get and set the variables of an instance',
  incidents: 'List, group, show, and resolve incidents',
  backtests: 'List, show, and cancel backtests',
  batch: 'Create, follow, pause, resume, and cancel batch operations',
  jobs: 'Find and finish jobs, and show turns of agents',
  limits: 'List, set, and remove limits of task types',
  tasks: 'List, claim, complete, fail, and comment on user tasks',
  timers: 'Change, fire, skip, and run timers',
  deployments: 'List and show deployments, and list element templates',
  forms: 'List and show deployed forms',
  hooks: 'Manage hooks, and deliver failed deliveries again',
  subscriptions: 'Manage the delivery of events, and its dead letters',
  secrets: 'List and show the names of secrets',
  definitions: 'Suspend and resume a version of a process',
  processes: 'Show and replace the settings of a process',
  profile: 'Save hosts with their credentials, and choose one',
};
