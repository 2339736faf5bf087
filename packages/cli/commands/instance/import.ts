import { ApiError, unwrap, type Schemas } from '@perdure/client';
import { printable } from '@perdure/lib/trust/printable.js';
import { exitCodes, type Command, type Invocation } from '../../command.js';
import type { Host } from '../../host.js';
import { showJson } from '../../terminal.js';
import { readText } from '../../values.js';
import { WrongUse } from '../../wrong-use.js';
import { moveFromCamunda7, moveOptions, refuseMoveOptions } from './import-camunda7.js';
import { reasonOf, reasonOption } from './target.js';

type Given = Schemas['ImportedBpmnInstance'];
type Issue = { path: string; message: string };
interface Done {
  source: Given['source'];
  workflowID?: string | undefined;
  /** Whether the host had it before. */
  present?: true;
  warnings?: readonly string[];
  problem?: string;
  issues?: readonly Issue[];
}

/** Requests that wait for the host at a time. */
const BATCH = 5;
const MAX_NAMED = 5;

export const importInstances: Command = {
  name: 'import',
  role: 'admin',
  operands: 'FILE... | camunda7',
  summary: 'Import running instances of another system',
  details:
    'Each file has an instance as JSON, or an array of them. Each instance is imported once, whole or not at all, so the same ' +
    'files can be imported again. One line per instance has its result; the exit code is 1 if one was refused. ' +
    'With camunda7 instead of files, moves the instances of a process of Camunda 7, Operaton, CIB seven, or EximeeBPMS by their ' +
    'REST API: suspends each, reads it, and imports it into the newest version that it fits. A move that was interrupted ' +
    'continues by its log.',
  examples: [
    'perdure import order-17.json --dry-run',
    "perdure import instances/*.json --reason 'move of the orders'",
    'perdure import camunda7 --url http://localhost:8080/engine-rest --process order --dry-run',
    'perdure import camunda7 --url http://localhost:8080/engine-rest --process order --rollback',
  ],
  minOperands: 1,
  maxOperands: Infinity,
  options: {
    'dry-run': { type: 'boolean', help: 'show all issues and warnings, and import nothing' },
    ...reasonOption,
    ...moveOptions,
  },
  async run(invocation) {
    const { operands, terminal, signal } = invocation;
    if (operands[0] === 'camunda7') return moveFromCamunda7(invocation);
    refuseMoveOptions(invocation);
    // Ctrl-C ends the import after the instances that it has begun, and shows them.
    const host = await invocation.host(new AbortController().signal);
    let refused = 0;
    for (const path of operands) {
      const instances = instancesIn(path, await readText(path));
      for (let first = 0; first < instances.length && !signal.aborted; first += BATCH) {
        const done = await Promise.all(
          instances.slice(first, first + BATCH).map((given) => importOne(host, given, invocation)),
        );
        refused += done.filter(({ problem }) => problem !== undefined).length;
        for (const one of done)
          if (terminal.json) showJson(terminal, one);
          else for (const line of describe(one)) terminal.write(line);
      }
    }
    return refused > 0 ? exitCodes.refused : exitCodes.done;
  },
};

/** @throws WrongUse unless it is an instance or an array of instances */
function instancesIn(path: string, text: string): Given[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new WrongUse(`${path} is not JSON: ${(error as Error).message}`);
  }
  const all = Array.isArray(json) ? (json as unknown[]) : [json];
  const wrong = all.findIndex((one) => !isNamed(one));
  if (wrong < 0) return all as Given[];
  throw new WrongUse(
    `${path} must have an instance, or an array of instances, each with a source of system and id; the one at position ${wrong + 1} has none`,
  );
}

function isNamed(one: unknown): boolean {
  const { system, id } = (one as Partial<Given> | null)?.source ?? {};
  return typeof system === 'string' && typeof id === 'string';
}

async function importOne({ client, projectID }: Host, given: Given, invocation: Invocation): Promise<Done> {
  const { source } = given;
  try {
    const asked = client.POST('/projects/{projectID}/bpmn/instances/import', {
      params: { path: { projectID } },
      body: { ...given, ...reasonOf(invocation), ...(invocation.flag('dry-run') && { dryRun: true }) },
    });
    const { workflowID, warnings } = await unwrap<Schemas['BpmnImportResult']>(asked);
    const { response } = await asked;
    const isPresent = response.status === 200 && workflowID !== undefined;
    return { source, workflowID, warnings, ...(isPresent && { present: true as const }) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.status === 401 || error.status === 404)
      throw error;
    const { issues } = (error.details ?? {}) as { issues?: Issue[] };
    return { source, problem: error.message, ...(issues && { issues }) };
  }
}

function describe({ source, workflowID, present, warnings = [], problem, issues = [] }: Done): string[] {
  const name = `${source.system} ${source.id}`;
  if (problem === undefined) {
    const result =
      workflowID === undefined ? 'can be imported' : present ? `${workflowID} (imported before)` : workflowID;
    return [`${name}  ${result}`, ...warnings.map((warning) => `  ${warning}`)].map(printable);
  }
  const shown = issues.slice(0, MAX_NAMED).map(({ path, message }) => `  ${path}: ${message}`);
  const more = issues.length > MAX_NAMED ? [`  and ${issues.length - MAX_NAMED} more`] : [];
  return [`${name}  refused${issues.length > 0 ? '' : `: ${problem}`}`, ...shown, ...more].map(printable);
}
