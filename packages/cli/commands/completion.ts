import { exitCodes, type Command } from '../command.js';
import { commonOptions } from '../common-options.js';
import { completionScripts } from '../completion/scripts.js';
import { WrongUse } from '../wrong-use.js';

const shells = Object.keys(completionScripts);

export const completion: Command = {
  name: 'completion',
  operands: 'SHELL',
  summary: `Print the completion script for ${shells.join(', ')}`,
  details: 'Completes commands, options, and the words that options accept.',
  examples: [
    'perdure completion bash > ~/.local/share/bash-completion/completions/perdure',
    'perdure completion zsh > ~/.zfunc/_perdure',
    'perdure completion fish > ~/.config/fish/completions/perdure.fish',
  ],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run({ operands, terminal, commands }) {
    const shell = operands[0]!;
    const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined;
    if (script === undefined)
      throw new WrongUse(`The shell must be one of ${shells.join(', ')}, but is ${JSON.stringify(shell)}`);
    const text = script(commands.map((one) => ({ ...one, options: { ...one.options, ...commonOptions } })));
    terminal.write(terminal.json ? JSON.stringify({ shell, script: text }) : text);
    return exitCodes.done;
  },
};
