/** The rules in the order in which they are applied to each element: what reads an attribute comes before what removes it. */
import type { Rule } from '../context.js';
import { callActivity } from './call-activity.js';
import { decision } from './decision.js';
import { errors } from './errors.js';
import { conditional, signalPayload, startEvent, startFlow, timerCycle, timerDate, timerStart } from './events.js';
import { eventRegistry } from './event-registry.js';
import { definitionNames, expressions } from './expressions.js';
import { formFields } from './form-fields.js';
import { leftovers, properties } from './leftovers.js';
import { messages } from './messages.js';
import { missingIDs } from './missing-ids.js';
import { listeners } from './listeners.js';
import { mappings } from './mappings.js';
import { multiInstance } from './multi-instance.js';
import { receiveTask } from './receive-task.js';
import { scriptTask } from './script-task.js';
import { userTask } from './user-task.js';
import { retries, work } from './work.js';

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
  userTask,
  formFields,
  receiveTask,
  messages,
  errors,
  definitionNames,
  startEvent,
  timerStart,
  timerCycle,
  timerDate,
  signalPayload,
  conditional,
  properties,
  leftovers,
];
