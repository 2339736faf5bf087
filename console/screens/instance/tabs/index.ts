/** The tabs of an instance, in order. The first is the default. */
import { agent } from './agent/agent.js';
import { calls } from './calls.js';
import { history } from './history/history.js';
import { incidents } from './incidents.js';
import { jobs } from './jobs.js';
import type { InstanceTab } from './tab.js';
import { tasks } from './tasks.js';
import { timeline } from './timeline.js';
import { variables } from './variables.js';

export const instanceTabs: readonly InstanceTab[] = [
  history,
  variables,
  incidents,
  jobs,
  agent,
  tasks,
  calls,
  timeline,
];
