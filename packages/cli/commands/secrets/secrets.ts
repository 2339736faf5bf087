import { ApiError, unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import type { Host } from '../../host.js';
import { fieldLines } from '../../lists/fields.js';
import { pageCommand } from '../../lists/page-command.js';
import { findInPages, type PageQuery } from '../../lists/paging.js';
import { show } from '../../terminal.js';

type Secret = Schemas['Secret'];

const details = 'Secrets are part of the configuration of the host. No command shows or changes their values.';

export const listSecrets = pageCommand<Secret>({
  name: 'secrets list',
  role: 'editor',
  summary: 'List the names of the secrets of the project',
  details,
  examples: ['perdure secrets list'],
  noun: 'secret',
  read: readSecrets,
  columns: { NAME: (one) => one.name, HOSTS: hostsOf },
});

export const showSecret: Command = {
  name: 'secrets show',
  role: 'editor',
  operands: 'NAME',
  summary: 'Show where a secret can be sent to',
  details,
  examples: ['perdure secrets show STRIPE'],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run(invocation) {
    const name = invocation.operands[0]!;
    const host = await invocation.host();
    const found = await findInPages<Secret>(
      (query) => readSecrets(host, query),
      (one) => one.name === name,
    );
    if (found === undefined)
      throw new ApiError(404, { code: 'NOT_FOUND', detail: `Project ${host.projectID} has no secret ${name}` });
    show(invocation.terminal, found, () => fieldLines({ Secret: found.name, Hosts: hostsOf(found) }));
    return exitCodes.done;
  },
};

function hostsOf({ hosts }: Secret): string {
  return hosts.length === 0 ? 'none' : hosts.join(', ');
}

function readSecrets({ client, projectID }: Host, query: PageQuery): Promise<Schemas['SecretsPaginatedResponse']> {
  return unwrap(client.GET('/projects/{projectID}/secrets', { params: { path: { projectID }, query } }));
}
