import { development, listProfiles, profileInUse, readProfile } from '../../access/profiles.js';
import { exitCodes, type Command } from '../../command.js';
import { show, table } from '../../terminal.js';

export const listProfilesCommand: Command = {
  name: 'profile list',
  operands: '',
  summary: 'List the saved profiles; never prints credentials',
  examples: ['perdure profile list'],
  minOperands: 0,
  maxOperands: 0,
  options: {},
  async run({ environment, terminal }) {
    const inUse = profileInUse(environment) ?? development;
    const saved = listProfiles(environment).map((name) => {
      const { api, projectID } = readProfile(environment, name);
      return { name, api, projectID };
    });
    const profiles = [
      ...saved,
      { name: development, api: 'the host that npm start runs in the checkout', projectID: undefined },
    ].map((profile) => ({ ...profile, inUse: profile.name === inUse }));
    show(terminal, profiles, () =>
      table(
        ['NAME', 'IN USE', 'API', 'PROJECT'],
        profiles.map(({ name, inUse: isInUse, api, projectID }) => [name, isInUse ? '*' : '', api, projectID]),
      ),
    );
    return exitCodes.done;
  },
};
