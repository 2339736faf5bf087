/** Actions on an instance, in the order of the buttons. */
import type { Action } from './action.js';
import { beginActivity } from './ad-hoc.js';
import { setAdHocVariables } from './ad-hoc-variables.js';
import { cancel } from './cancel.js';
import { erase } from './erase.js';
import { migrate } from './migrate.js';
import { modify } from './modify.js';
import { redact } from './redact.js';
import { restart } from './restart.js';
import { setVariables } from './set-variables.js';
import { resume, suspend } from './suspension.js';

export const actions: readonly Action[] = [
  beginActivity,
  setAdHocVariables,
  setVariables,
  modify,
  migrate,
  suspend,
  resume,
  cancel,
  restart,
  redact,
  erase,
];
