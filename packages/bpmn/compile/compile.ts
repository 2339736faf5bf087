/** Compiles a BPMN file to the graphs of its processes, for deployment and validation. */
import type { FormsOfProcess } from '@perdure/engine/model/forms.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import type { ProcessTool } from '@perdure/engine/model/process-tools.js';
import { canonicalJson } from '@perdure/lib/canonical-json.js';
import { lostCharacters } from '@perdure/lib/model-files/declaration.js';
import { sha256 } from '@perdure/lib/sha256.js';
import { utf8Length } from '@perdure/lib/model-files/utf8.js';
import { compileProcess } from './compile-process.js';
import { COMPILER_VERSION } from './compiler-version.js';
import { ModelCompiler } from './compiler.js';
import { checkDialect } from '../check/dialect.js';
import type { BpmnDocument, BpmnElement } from '../read/document.js';
import { parse } from '../read/parse.js';
import { Diagnostics, type Diagnostic } from '@perdure/lib/model-files/diagnostics.js';
import { startsOf, type ProcessStarts } from './starts/process-starts.js';
import { isRefusal, type Refusal } from '@perdure/xml/refusal.js';
import { scan } from '@perdure/xml/scan.js';

export interface CompiledProcess extends ProcessStarts {
  processID: string;
  processName?: string;
  versionTag?: string;
  graph: Graph;
  /** Content address of the graph: SHA-256 of its canonical JSON, lowercase hexadecimal. */
  sha256: string;
  forms?: FormsOfProcess;
  /** Start events that agents can call. */
  tools?: ProcessTool[];
  /** Version of the compiler that produced the graph. */
  compilerVersion: number;
}

export interface CompiledResource {
  /** Why the file was not read at all: it is not XML, or exceeds the limits. `problems` then contains only this. */
  refused?: Refusal['reason'];
  /** Empty if the file has none or could not be read. */
  definitionsID: string;
  /** One per executable process, in document order; empty if there is an error. */
  processes: CompiledProcess[];
  /** All problems at once, in the order of the checks. */
  problems: Diagnostic[];
}

/**
 * Compiles a BPMN file. Never throws because of the file's content.
 * @param xml the file as text. It has been decoded: the encoding that it declares only shows whether characters were lost.
 */
export async function compile(xml: string): Promise<CompiledResource> {
  const file = scan(xml);
  if (isRefusal(file)) return refusedResource(file);
  const problems = new Diagnostics();
  const lost = lostCharacters(xml);
  if (lost) problems.warning(undefined, lost.message);
  const document = await parse(file, problems);
  const compiled = document ? compileProcesses(document, problems) : [];
  // A graph with errors cannot be traversed.
  const processes = problems.refuse() ? [] : compiled.map((process) => ({ ...process, ...startsOf(process.graph) }));
  return { definitionsID: document ? definitionsIDOf(document) : '', processes, problems: problems.list() };
}

/** The result for a file that is not read. */
export function refusedResource({ reason, message }: Refusal): CompiledResource {
  return { refused: reason, definitionsID: '', processes: [], problems: [{ severity: 'error', message }] };
}

function compileProcesses(document: BpmnDocument, problems: Diagnostics): Omit<CompiledProcess, keyof ProcessStarts>[] {
  const all = processesOf(document);
  if (!document.definitions.ownID) warnOfDerivedID(document, problems);
  const executable = executableOf(all, problems);
  if (all.length === 0) problems.error(undefined, 'The file has no process');
  const compiler = new ModelCompiler(problems);
  checkDialect(document.definitions, sharedElementsOf(document), compiler.problems);
  // All problems are reported at once, for drawings too.
  return (executable.length > 0 ? executable : all).map((process) => {
    if (!process.ownID) problems.error(undefined, 'A process has no id');
    const { graph, forms, tools } = compileProcess(process, compiler);
    const json = canonicalJson(graph);
    checkSize(graph, json, process.id, problems);
    return {
      processID: graph.processID,
      ...(graph.processName && { processName: graph.processName }),
      ...(graph.versionTag && { versionTag: graph.versionTag }),
      graph,
      sha256: sha256(json),
      ...(forms && { forms }),
      ...(tools && { tools }),
      compilerVersion: COMPILER_VERSION,
    };
  });
}

function processesOf({ definitions }: BpmnDocument): BpmnElement[] {
  return definitions.children('rootElements').filter(({ type }) => type === 'process');
}

/** Messages, errors and other root elements. */
function sharedElementsOf({ definitions }: BpmnDocument): BpmnElement[] {
  return definitions.children('rootElements').filter(({ type }) => type !== 'process' && type !== 'collaboration');
}

/**
 * In BPMN the id of `definitions` is optional. Among the alternatives in such a file, the id of its first process is
 * the most stable.
 */
function definitionsIDOf(document: BpmnDocument): string {
  return document.definitions.ownID || (processesOf(document)[0]?.ownID ?? '');
}

function warnOfDerivedID(document: BpmnDocument, problems: Diagnostics): void {
  const derived = definitionsIDOf(document);
  if (derived === '') return;
  problems.warning(
    undefined,
    `definitions has no id, so the id of the first process, ${JSON.stringify(derived)}, identifies the file. Give definitions an id to keep its revisions together when that process is renamed.`,
  );
}

/** The workflow history contains an instance's graph in one payload, and Temporal accepts payloads of up to 2 MiB. */
const MAX_GRAPH_BYTES = 1.5 * 1024 * 1024;

function checkSize(graph: Graph, json: string, id: string | undefined, problems: Diagnostics): void {
  const bytes = utf8Length(json);
  if (bytes <= MAX_GRAPH_BYTES) return;
  problems.error(
    id,
    `Process ${graph.processID} takes ${bytes} bytes when compiled, but the limit is ${MAX_GRAPH_BYTES}. Move parts of it into called processes.`,
  );
}

/**
 * The processes to deploy. BPMN 2.0.2 section 10.2 does not define a process without `isExecutable`. Next to a process
 * with `isExecutable="true"` it is a drawing; if no process has that, it is meant to run.
 */
function executableOf(processes: BpmnElement[], problems: Diagnostics): BpmnElement[] {
  const declared = processes.filter((process) => process.flag('isExecutable', false));
  const chosen = new Set(
    declared.length > 0 ? declared : processes.filter((process) => process.attribute('isExecutable') === undefined),
  );
  for (const process of processes) {
    if (chosen.has(process)) continue;
    if (chosen.size > 0)
      problems.warning(process.id, `Process ${process.id} is not executable (isExecutable) and is not deployed`);
    else problems.error(process.id, `Process ${process.id} is not executable: set isExecutable="true" to deploy it`);
  }
  return [...chosen];
}
