/** Every screen, in the order of the navigation. A new one is a folder beside this file and a line here. */
import { decisionFile, decisions } from './decisions/index.js';
import { deploy } from './deploy/index.js';
import { incidents } from './incidents/index.js';
import { instance } from './instance/index.js';
import { instances } from './instances/index.js';
import { jobs } from './jobs/index.js';
import { members } from './members/index.js';
import { messages } from './messages/index.js';
import { process, processes } from './processes/index.js';
import type { Screen } from './screen.js';
import { search } from './search/index.js';
import { settings } from './settings/index.js';
import { tasks } from './tasks/index.js';

export const screens: readonly Screen[] = [instances, instance, search, incidents, tasks, jobs, messages, processes, process, deploy, decisions, decisionFile, members, settings];
