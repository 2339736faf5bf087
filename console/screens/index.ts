/** Every screen, in the order of the navigation. A new one is a folder next to this file and a line here. */
import { matchPath } from 'react-router';
import type { Params } from 'react-router';
import { audit } from './audit/index.js';
import { backtest, backtestRuns, backtests } from './backtests/index.js';
import { batch, batches } from './batches/index.js';
import { compare } from './compare/index.js';
import { dashboard } from './dashboard/index.js';
import { decisionFile, decisions } from './decisions/index.js';
import { deploy } from './deploy/index.js';
import { deployment, deployments, elementTemplates } from './deployments/index.js';
import { eventSubscription, eventSubscriptions } from './event-subscriptions/index.js';
import { form, forms } from './forms/index.js';
import { hook, hooks } from './hooks/index.js';
import { incidents } from './incidents/index.js';
import { instance } from './instance/index.js';
import { instances } from './instances/index.js';
import { jobs } from './jobs/index.js';
import { members } from './members/index.js';
import { messages } from './messages/index.js';
import { modeler } from './modeler/index.js';
import { play } from './play/index.js';
import { process, processes, start } from './processes/index.js';
import type { Screen } from './screen.js';
import { search } from './search/index.js';
import { secrets } from './secrets/index.js';
import { settings } from './settings/index.js';
import { task, tasks } from './tasks/index.js';

export const screens: readonly Screen[] = [
  dashboard,
  instances,
  instance,
  search,
  incidents,
  batches,
  batch,
  tasks,
  task,
  jobs,
  messages,
  processes,
  process,
  start,
  play,
  decisions,
  decisionFile,
  forms,
  form,
  deployments,
  deployment,
  elementTemplates,
  deploy,
  modeler,
  compare,
  backtests,
  backtest,
  backtestRuns,
  members,
  hooks,
  hook,
  eventSubscriptions,
  eventSubscription,
  secrets,
  audit,
  settings,
];

/**
 * The screen at a path of the console, and the parameters in the path: `projectID`, and those of the screen's pattern.
 */
export function screenAt(pathname: string): { screen: Screen; names: Params } | undefined {
  for (const screen of screens) {
    const match = matchPath(`/console/projects/:projectID/${screen.path}`, pathname);
    if (match) return { screen, names: match.params };
  }
  return undefined;
}
