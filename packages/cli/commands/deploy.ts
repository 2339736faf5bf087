import { basename } from 'node:path';
import { unwrap, ApiError, type Schemas } from '@perdure/client';
import { exitCodes, type Command, type Invocation } from '../command.js';
import { readText } from '../values.js';
import type { Host } from '../host.js';
import { describeProblem, locateDiagnostics, type Diagnostic } from '../diagnostics.js';
import { watchFiles } from './watch-files.js';
import { show, table } from '../terminal.js';

interface Deployed {
  file: string;
  /** The id of the process, or of the definitions of a DMN file. */
  id: string;
  version: number;
  definitionID: string;
}

export const deploy: Command = {
  name: 'deploy',
  role: 'editor',
  operands: 'FILE...',
  summary: 'Deploy BPMN and DMN files',
  details: 'Decisions first, then processes. Stops at the first file that is refused.',
  examples: ['perdure deploy order.bpmn', 'perdure deploy *.bpmn *.dmn', 'perdure deploy *.bpmn *.dmn --watch'],
  minOperands: 1,
  maxOperands: Infinity,
  options: { watch: { type: 'boolean', help: 'deploy each file again when its content changes, until Ctrl-C' } },
  async run(invocation) {
    const host = await invocation.host();
    if (!invocation.flag('watch')) return deployFiles(host, invocation.operands, invocation);
    const deployed = new Map<string, string>();
    await watchFiles(
      invocation.operands,
      async (files) => {
        const changed = await changedSince(deployed, files, invocation);
        if (changed.length > 0) await deployFiles(host, changed, invocation).catch(reportTo(invocation));
      },
      invocation.signal,
    );
    return exitCodes.done;
  },
};

/** @returns the exit code */
async function deployFiles(host: Host, files: readonly string[], invocation: Invocation): Promise<number> {
  const deployed: Deployed[] = [];
  // Decisions first, because a process can call a decision as soon as it is deployed.
  for (const file of files.toSorted((one, other) => Number(isDecisions(other)) - Number(isDecisions(one)))) {
    const result = await deployFile(host, file, invocation);
    if (result === undefined) return exitCodes.refused;
    deployed.push(...result);
  }
  show(invocation.terminal, deployed, () =>
    table(
      ['FILE', 'ID', 'VERSION', 'DEFINITION'],
      deployed.map(({ file, id, version, definitionID }) => [file, id, version, definitionID]),
    ),
  );
  return exitCodes.done;
}

/** Editors write a file several times, often without a change, and replace it: for a moment it is missing or empty. */
async function changedSince(
  deployed: Map<string, string>,
  files: readonly string[],
  invocation: Invocation,
): Promise<string[]> {
  const changed: string[] = [];
  for (const file of files) {
    const text = await readText(file).catch(reportTo(invocation));
    if (text === undefined || text === '' || text === deployed.get(file)) continue;
    deployed.set(file, text);
    changed.push(file);
  }
  return changed;
}

/** A watch continues after a failure: the next change of a file is the next attempt. */
function reportTo({ terminal, signal }: Invocation) {
  return (error: Error): undefined => {
    if (!signal.aborted) terminal.complain(error.message);
  };
}

function isDecisions(file: string): boolean {
  return file.endsWith('.dmn');
}

/** Undefined when the file was refused; the reason has been written. */
async function deployFile(host: Host, file: string, { terminal }: Invocation): Promise<Deployed[] | undefined> {
  const xml = await readText(file);
  try {
    return await (isDecisions(file) ? deployDecisions(host, file, xml) : deployProcesses(host, file, xml));
  } catch (error) {
    const problems = problemsOf(error);
    if (problems === undefined) throw error;
    for (const problem of locateDiagnostics(file, xml, problems)) terminal.complain(describeProblem(problem));
    return undefined;
  }
}

async function deployDecisions({ client, projectID }: Host, file: string, xml: string): Promise<Deployed[]> {
  const definition = await unwrap<Schemas['DefinitionDetail']>(
    client.POST('/projects/{projectID}/dmn/definitions', {
      params: { path: { projectID } },
      body: { name: basename(file), xml },
    }),
  );
  return [{ file, id: definition.definitionsID, version: definition.version, definitionID: definition.id }];
}

async function deployProcesses({ client, projectID }: Host, file: string, xml: string): Promise<Deployed[]> {
  const { id: resourceID } = await unwrap(
    client.POST('/projects/{projectID}/bpmn/resources', {
      params: { path: { projectID } },
      body: { name: basename(file), xml },
    }),
  );
  const params = { path: { projectID, resourceID } };
  try {
    await unwrap(client.POST('/projects/{projectID}/bpmn/resources/{resourceID}/deploy', { params }));
  } catch (error) {
    // A file that cannot be deployed leaves no draft behind.
    if (problemsOf(error)) await client.DELETE('/projects/{projectID}/bpmn/resources/{resourceID}', { params });
    throw error;
  }
  const { processes = [] } = await unwrap<Schemas['BpmnResourceDetail']>(
    client.GET('/projects/{projectID}/bpmn/resources/{resourceID}', { params }),
  );
  return processes.map(({ id, processID, version }) => ({ file, id: processID, version, definitionID: id }));
}

/** The problems of the model, if the host refused it because of them. */
function problemsOf(error: unknown): Diagnostic[] | undefined {
  if (!(error instanceof ApiError) || error.code !== 'INVALID_MODEL') return undefined;
  const { errors = [], warnings = [] } = (error.details ?? {}) as { errors?: Diagnostic[]; warnings?: Diagnostic[] };
  return [...errors, ...warnings];
}
