import { development, useProfile } from '../../access/profiles.js';
import { exitCodes, type Command } from '../../command.js';
import { show } from '../../terminal.js';

export const useProfileCommand: Command = {
  name: 'profile use',
  operands: 'NAME',
  summary: 'Make a saved profile the default',
  details:
    `${development} goes back to the host that npm start runs in the checkout. --api, PERDURE_API, and ` +
    'credentials in the environment override the default.',
  examples: ['perdure profile use production', 'perdure profile use development'],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run({ operands, environment, terminal }) {
    const name = operands[0]!;
    useProfile(environment, name);
    show(terminal, { name }, () => [`Profile ${name} is in use`]);
    return exitCodes.done;
  },
};
