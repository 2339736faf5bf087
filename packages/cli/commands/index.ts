/** All commands, in the order of the help. */
import type { Command } from '../command.js';
import { convert } from './convert.js';
import { deploy } from './deploy.js';
import { lint } from './lint.js';
import { list } from './list.js';
import { messages } from './messages.js';
import { replay } from './replay.js';
import { search } from './search.js';
import { start } from './start.js';
import { waits } from './waits.js';
import { watch } from './watch.js';

export const commands: readonly Command[] = [
  lint,
  convert,
  deploy,
  start,
  list,
  search,
  watch,
  waits,
  messages,
  replay,
];
