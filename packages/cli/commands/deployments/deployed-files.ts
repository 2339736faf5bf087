/** The files of a deployment as a table, one line for each. */
import type { Schemas } from '@perdure/client';
import { table } from '../../terminal.js';

export type DeployedFile = Schemas['BpmnDeployment']['files'][number];

export function deployedFiles(files: readonly DeployedFile[]): string[] {
  return table(
    ['FILE', 'STATE', 'ID', 'VERSION'],
    files.map((file) => [file.name, file.state.toLowerCase(), ...contentOf(file)]),
  );
}

/** The id and the version, of several processes with commas. */
function contentOf({ processes, definitionID, formID, templateIDs, version }: DeployedFile): [string, string] {
  if (templateIDs !== undefined) return [templateIDs.join(', '), ''];
  if (processes === undefined) return [formID ?? definitionID ?? '', String(version ?? '')];
  return [
    processes.map(({ processID }) => processID).join(', '),
    processes.map((process) => process.version).join(', '),
  ];
}
