import { unwrap } from '@perdure/client';
import type { Command } from '../../command.js';
import { reasonOf, reasonOption } from '../instance/target.js';
import { changeVersions, versionOptions } from './versions.js';

export const suspendDefinition: Command = {
  name: 'definitions suspend',
  role: 'admin',
  operands: 'PROCESS',
  summary: 'Suspend a version of a process and its instances',
  details:
    'PROCESS is the id of a process, or a definitionID. With --starts-only, no instance starts, and ' +
    'running ones continue.',
  examples: [
    'perdure definitions suspend order --version 3',
    "perdure definitions suspend order --all-versions --starts-only --at 2026-12-31T18:00:00Z --reason 'stocktaking'",
  ],
  minOperands: 1,
  maxOperands: 1,
  options: {
    ...versionOptions,
    'starts-only': { type: 'boolean', help: 'refuse new instances only' },
    at: { type: 'string', value: 'TIME', help: 'when it takes effect, an RFC 3339 time (default: now)' },
    ...reasonOption,
  },
  run(invocation) {
    const at = invocation.option('at');
    const body = {
      instances: !invocation.flag('starts-only'),
      ...(at !== undefined && { at }),
      ...reasonOf(invocation),
    };
    return changeVersions(
      invocation,
      ({ client, projectID }, definitionID) =>
        unwrap<unknown>(
          client.POST('/projects/{projectID}/bpmn/definitions/{definitionID}/suspend', {
            params: { path: { projectID, definitionID } },
            body,
          }),
        ),
      at === undefined ? 'suspended' : `will be suspended at ${at}`,
    );
  },
};
