import { unwrap } from '@perdure/client';
import type { Command } from '../../command.js';
import { reasonOf, reasonOption } from '../instance/target.js';
import { changeVersions, versionOptions } from './versions.js';

export const resumeDefinition: Command = {
  name: 'definitions resume',
  role: 'admin',
  operands: 'PROCESS',
  summary: 'Resume a version of a process and its instances',
  details: 'PROCESS is the id of a process, or a definitionID. Also withdraws a scheduled suspension.',
  examples: ['perdure definitions resume order --version 3'],
  minOperands: 1,
  maxOperands: 1,
  options: { ...versionOptions, ...reasonOption },
  run: (invocation) =>
    changeVersions(
      invocation,
      ({ client, projectID }, definitionID) =>
        unwrap<unknown>(
          client.POST('/projects/{projectID}/bpmn/definitions/{definitionID}/resume', {
            params: { path: { projectID, definitionID } },
            body: reasonOf(invocation),
          }),
        ),
      'resumed',
    ),
};
