/** A BPMN file to the graphs of its processes: what deploying and validating do. */
import type { Graph } from '../engine/graph.js';
import { canonicalJson, sha256 } from './canonical-json.js';
import { compileProcess } from './compile-process.js';
import { COMPILER_VERSION } from './compiler-version.js';
import { ModelCompiler } from './compiler.js';
import { checkDialect } from './dialect.js';
import type { BpmnDocument, BpmnElement } from './document.js';
import { parse } from './parse.js';
import { Problems, type Problem } from './problem.js';
import { startsOf, type ProcessStarts } from './process-starts.js';
import { scan, type Refusal } from './scan.js';

export interface CompiledProcess extends ProcessStarts {
  processID: string;
  processName?: string;
  versionTag?: string;
  graph: Graph;
  /** Content address of the graph: SHA-256 of its canonical JSON, lower-case hexadecimal. */
  sha256: string;
  /** Version of the compiler that made the graph. */
  compilerVersion: number;
}

export interface CompiledResource {
  /** Why the file was not read at all: no XML, or beyond the limits. `problems` then says so, and nothing else. */
  refused?: Refusal['reason'];
  /** Empty when the file has none or could not be read. */
  definitionsID: string;
  /** One per executable process, in document order; empty when there is an error. */
  processes: CompiledProcess[];
  /** Everything that is wrong, all at once, in the order of the checks. */
  problems: Problem[];
}

/**
 * Compiles a BPMN file. Never throws for what is in the file.
 * @param xml the file as text; an encoding declaration is ignored
 */
export async function compile(xml: string): Promise<CompiledResource> {
  const refusal = scan(xml);
  if (refusal) return refusedResource(refusal);
  const problems = new Problems();
  const document = await parse(xml, problems);
  const compiled = document ? compileProcesses(document, problems) : [];
  // A graph with errors cannot be walked.
  const processes = problems.refuse() ? [] : compiled.map((process) => ({ ...process, ...startsOf(process.graph) }));
  return { definitionsID: document ? definitionsIDOf(document) : '', processes, problems: problems.list() };
}

/** The answer for a file that is not read. */
export function refusedResource({ reason, message }: Refusal): CompiledResource {
  return { refused: reason, definitionsID: '', processes: [], problems: [{ severity: 'error', message }] };
}

function compileProcesses(document: BpmnDocument, problems: Problems): Omit<CompiledProcess, keyof ProcessStarts>[] {
  const all = processesOf(document);
  if (!document.definitions.ownID) warnOfDerivedID(document, problems);
  const executable = executableOf(all, problems);
  if (all.length === 0) problems.error(undefined, 'The file has no process');
  const compiler = new ModelCompiler(problems);
  checkDialect(document.definitions, sharedElementsOf(document), compiler);
  // Of drawings too everything is told at once.
  return (executable.length > 0 ? executable : all).map((process) => {
    if (!process.ownID) problems.error(undefined, 'A process has no id');
    const graph = compileProcess(process, compiler);
    const json = canonicalJson(graph);
    checkSize(graph, json, process.id, problems);
    return {
      processID: graph.processID,
      ...(graph.processName && { processName: graph.processName }),
      ...(graph.versionTag && { versionTag: graph.versionTag }),
      graph,
      sha256: sha256(json),
      compilerVersion: COMPILER_VERSION,
    };
  });
}

function processesOf({ definitions }: BpmnDocument): BpmnElement[] {
  return definitions.children('rootElements').filter(({ type }) => type === 'process');
}

/** Messages, errors and the like. */
function sharedElementsOf({ definitions }: BpmnDocument): BpmnElement[] {
  return definitions.children('rootElements').filter(({ type }) => type !== 'process' && type !== 'collaboration');
}

/** An id of `definitions` is optional in BPMN. Of what such a file has, the id of its first process changes least. */
function definitionsIDOf(document: BpmnDocument): string {
  return document.definitions.ownID || (processesOf(document)[0]?.ownID ?? '');
}

function warnOfDerivedID(document: BpmnDocument, problems: Problems): void {
  const derived = definitionsIDOf(document);
  if (derived === '') return;
  problems.warning(undefined, `definitions has no id, so the id of the first process, ${JSON.stringify(derived)}, identifies the file. Give definitions an id to keep its revisions together when that process is renamed.`);
}

/** The history of an instance holds its graph in one piece; Temporal takes pieces of up to 2 MiB. */
const LARGEST_GRAPH_BYTES = 1.5 * 1024 * 1024;

function checkSize(graph: Graph, json: string, id: string | undefined, problems: Problems): void {
  const bytes = Buffer.byteLength(json);
  if (bytes <= LARGEST_GRAPH_BYTES) return;
  problems.error(id, `Process ${graph.processID} takes ${bytes} bytes when it is compiled; at most ${LARGEST_GRAPH_BYTES} are allowed. Let call activities run parts of it`);
}

/**
 * The processes to deploy. BPMN 2.0.2 section 10.2 leaves open what a process without `isExecutable` is: beside one
 * that says true it is a drawing, where none says so it is meant to run.
 */
function executableOf(processes: BpmnElement[], problems: Problems): BpmnElement[] {
  const declared = processes.filter((process) => process.flag('isExecutable', false));
  const chosen = new Set(declared.length > 0 ? declared : processes.filter((process) => process.attribute('isExecutable') === undefined));
  for (const process of processes) {
    if (chosen.has(process)) continue;
    if (chosen.size > 0) problems.warning(process.id, `Process ${process.id} is not executable (isExecutable) and is not deployed`);
    else problems.error(process.id, `Process ${process.id} is not executable: set isExecutable="true" to deploy it`);
  }
  return [...chosen];
}
