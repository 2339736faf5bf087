import type { Command } from '../command.js';
import { bashScript } from './bash.js';
import { fishScript } from './fish.js';
import { zshScript } from './zsh.js';

/** By the name of the shell. The options of each command include those that every command has. */
export const completionScripts: { readonly [shell: string]: (commands: readonly Command[]) => string } = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
