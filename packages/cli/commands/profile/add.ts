import { credentialsOf, urlOfHost } from '../../access/credentials.js';
import { saveProfile } from '../../access/profiles.js';
import { exitCodes, type Command } from '../../command.js';
import { show } from '../../terminal.js';
import { WrongUse } from '../../wrong-use.js';

export const addProfile: Command = {
  name: 'profile add',
  operands: 'NAME',
  summary: 'Save a host, its project, and the credentials',
  details:
    'Takes the credentials from the environment, so that they appear in no list of processes: ' +
    'PERDURE_TOKEN, or PERDURE_TOKEN_ENDPOINT, PERDURE_CLIENT_ID, and PERDURE_CLIENT_SECRET. Replaces a ' +
    'profile of the same name.',
  examples: ['perdure profile add production --api https://perdure.example.com --project orders'],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run({ operands, option, environment, terminal }) {
    const name = operands[0]!;
    const api = option('api') ?? environment['PERDURE_API'];
    const projectID = option('project') ?? environment['PERDURE_PROJECT'];
    if (!api || !projectID) throw new WrongUse(`Profile ${name} needs a host and a project. Set --api and --project.`);
    saveProfile(environment, name, { api: urlOfHost(api), projectID, ...credentialsOf(environment) });
    show(terminal, { name, api, projectID }, () => [
      `Profile ${name} saved. Run perdure profile use ${name} to make it the default.`,
    ]);
    return exitCodes.done;
  },
};
