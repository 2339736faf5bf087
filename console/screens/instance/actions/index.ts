/** What can be done to an instance, in the order of the buttons. */
import type { Action } from './action.js';
import { cancel } from './cancel.js';
import { setVariables } from './set-variables.js';

export const actions: readonly Action[] = [setVariables, cancel];
