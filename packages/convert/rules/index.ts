/** The rules in the order in which they are applied to each element: what reads an attribute comes before what removes it. */
import type { Rule } from '../context.js';
import { callActivity } from './elements/call-activity.js';
import { compensation } from './elements/compensation.js';
import { decision } from './elements/decision.js';
import { errors } from './elements/errors.js';
import {
  conditional,
  signalPayload,
  startEvent,
  startFlow,
  timerCycle,
  timerDate,
  timerStart,
} from './elements/events.js';
import { eventRegistry } from './elements/event-registry.js';
import { definitionNames, expressions } from './expressions.js';
import { formFields } from './form-fields.js';
import { keptResults } from './kept-results.js';
import { leftovers, properties } from './leftovers.js';
import { messages } from './elements/messages.js';
import { missingIDs } from './missing-ids.js';
import { listeners } from './listeners.js';
import { mappings } from './mappings.js';
import { multiInstance } from './elements/multi-instance.js';
import { receiveTask } from './elements/receive-task.js';
import { scriptTask } from './elements/script-task.js';
import { timerCron } from './elements/timer-cron.js';
import { userTask } from './elements/user-task.js';
import { retries, work } from './elements/work.js';

/** Each rule visits the whole file before the next one: some rules replace elements. */
export const rules: readonly Rule[] = [
  missingIDs,
  startFlow,
  eventRegistry,
  multiInstance,
  expressions,
  listeners,
  decision,
  callActivity,
  mappings,
  scriptTask,
  work,
  retries,
  keptResults,
  userTask,
  formFields,
  receiveTask,
  messages,
  compensation,
  errors,
  definitionNames,
  startEvent,
  timerStart,
  timerCycle,
  timerCron,
  timerDate,
  signalPayload,
  conditional,
  properties,
  leftovers,
];
