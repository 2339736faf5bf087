/** Every family of cases, in the order of the document. */
import type { Family } from '../case.js';
import { boundaryEvents } from './boundary-events.js';
import { compensation } from './compensation.js';
import { data } from './data.js';
import { endEvents } from './end-events.js';
import { eventSubProcesses } from './event-sub-processes.js';
import { gateways } from './gateways.js';
import { hostRules } from './host-rules.js';
import { intermediateEvents } from './intermediate-events.js';
import { loops } from './loops.js';
import { messages } from './messages.js';
import { startEvents } from './start-events.js';
import { subProcesses } from './sub-processes.js';
import { tasks } from './tasks.js';

export const families: readonly Family[] = [
  startEvents,
  intermediateEvents,
  boundaryEvents,
  eventSubProcesses,
  endEvents,
  gateways,
  tasks,
  subProcesses,
  loops,
  compensation,
  data,
  messages,
  hostRules,
];
