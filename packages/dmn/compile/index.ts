/** Compiles DMN files to a model and reports all problems. */
import { lostCharacters } from '@perdure/lib/model-files/declaration.js';
import { isRefusal, type Refusal } from '@perdure/xml/refusal.js';
import {
  MODEL_VERSION,
  type CompiledModel,
  type Element,
  type FileSummary,
  type FunctionLogic,
  type Requirement,
} from '../model.js';
import { Diagnostics, type Diagnostic } from '@perdure/lib/model-files/diagnostics.js';
import { attributeOf, childOf, childrenOf, type XmlElement } from '../xml/element.js';
import { readXml } from '../xml/read.js';
import type { LogicContext } from './context.js';
import { warnOfIgnored } from './dialect.js';
import { ExpressionReader } from './expressions.js';
import { connectImports, openFile, type DmnFile } from './file.js';
import { readGraph, requirementsOf, type GraphElement } from './graph.js';
import { compileFunction, compileLogicIn } from './logic.js';
import { TypeCompiler } from './types.js';
import { collectNames, Vocabulary, type NameScope } from './vocabulary.js';

export interface Compiled {
  /** Absent if the text is not a DMN file at all. A model with errors works except for its invalid parts. */
  model?: CompiledModel;
  problems: Diagnostic[];
  /** Why the text was not read at all. */
  refusal?: Refusal;
}

/**
 * Compiles a DMN 1.1 to 1.5 file. Never throws because of a file's content.
 *
 * @param xml the file with the decisions to compile
 * @param imported files that it imports, directly or indirectly; no others are read
 */
export function compileModel(xml: string, imported: readonly string[] = []): Compiled {
  const problems = new Diagnostics();
  const roots: XmlElement[] = [];
  const lost = lostCharacters(xml);
  if (lost && !lost.certain) problems.warning(undefined, lost.message);
  for (const text of [xml, ...imported]) {
    const root = readXml(text);
    if (isRefusal(root)) return { refusal: root, problems: [{ severity: 'error', message: root.message }] };
    roots.push(root);
  }
  const files = roots.flatMap((root, index) => openFile(root, index, problems) ?? []);
  if (files.length < roots.length) return { problems: problems.list() };
  connectImports(files, problems);
  warnOfIgnored(roots[0]!, problems);
  const model = compileFiles(files, problems);
  return { model, problems: problems.list() };
}

/** Namespaces that a file imports; empty if it cannot be read. */
export function importedNamespaces(xml: string): string[] {
  const root = readXml(xml);
  return isRefusal(root)
    ? []
    : childrenOf(root, 'import').flatMap((element) => element.attributes.get('namespace') ?? []);
}

/** The namespace that other files import the file by; undefined if the file cannot be read. */
export function ownNamespace(xml: string): string | undefined {
  const root = readXml(xml);
  return isRefusal(root) ? undefined : root.attributes.get('namespace');
}

function compileFiles(files: readonly DmnFile[], problems: Diagnostics): CompiledModel {
  const vocabulary = new Vocabulary();
  for (const { root, index } of files) collectNames(root, index > 0, vocabulary);
  const graph = readGraph(files, problems);
  for (const { links } of graph) {
    // A service with several outputs returns a context of them.
    for (const { role, target } of links) if (role === 'outputDecision') vocabulary.add(target.name);
  }
  const expressions = new ExpressionReader(problems, vocabulary, new Set(graph.map(({ name }) => name)));
  const types = new TypeCompiler(problems, expressions);
  for (const file of files) types.compileAll(file);
  const positions = new Map(graph.map((node, position) => [node, position]));
  checkServices(graph, problems);
  checkNames(graph, problems);
  const elements = graph.map((node) =>
    compileElement({ file: node.file, problems, expressions, types }, node, positions),
  );
  return { version: MODEL_VERSION, files: summarize(files), types: types.items, elements };
}

/** Decisions are requested by name, so two in one file must not have the same name. */
function checkNames(graph: readonly GraphElement[], problems: Diagnostics): void {
  const seen = new Set<string>();
  for (const { file, name, element } of graph) {
    const key = `${file.index} ${name}`;
    if (seen.has(key))
      problems.error(element.attributes.get('id'), `There are two elements named ${JSON.stringify(name)}`);
    seen.add(key);
  }
}

/** A service without an output decision has no result, which matters only to elements that call it. */
function checkServices(graph: readonly GraphElement[], problems: Diagnostics): void {
  const called = new Set(graph.flatMap(({ links }) => links.map(({ target }) => target)));
  for (const node of graph) {
    if (node.kind !== 'decisionService' || node.links.some(({ role }) => role === 'outputDecision')) continue;
    const message = `The decision service ${JSON.stringify(node.name)} needs an output decision`;
    const id = node.element.attributes.get('id');
    if (called.has(node)) problems.error(id, message);
    else problems.warning(id, `${message} before anything can call it`);
  }
}

function compileElement(
  context: LogicContext,
  node: GraphElement,
  positions: ReadonlyMap<GraphElement, number>,
): Element {
  const { file, element, kind, name } = node;
  const variable = childOf(element, 'variable');
  const type = variable && context.types.typeOf(file, variable);
  const base = { id: element.attributes.get('id') ?? name, name, file: file.index, ...(type && { type }) };
  if (kind === 'inputData') return { ...base, kind: 'input data' };
  if (kind === 'decisionService') return { ...base, kind: 'decision service', ...partsOfService(node, positions) };
  const requires = requirementsOf(node, positions);
  const scope = scopeOf(requires);
  if (kind === 'businessKnowledgeModel')
    return { ...base, kind: 'business knowledge', requires, logic: encapsulatedLogic(context, element, scope) };
  context.expressions.undeclared = new Set();
  const logic = compileLogicIn(context, element, scope);
  if (logic === undefined)
    context.problems.warning(
      base.id,
      `The decision ${JSON.stringify(name)} has no logic, so it is null unless its value is given`,
    );
  const versionTag = versionTagOf(element);
  return {
    ...base,
    kind: 'decision',
    requires,
    ...(logic && { logic }),
    ...(versionTag && { versionTag }),
    undeclared: [...context.expressions.undeclared],
  };
}

/** An attribute of the decision, or an extension element in any namespace. */
function versionTagOf(element: XmlElement): string | undefined {
  const extensions = childOf(element, 'extensionElements');
  return (
    attributeOf(element, 'versionTag') ?? (extensions && childOf(extensions, 'versionTag'))?.attributes.get('value')
  );
}

function scopeOf(requires: readonly Requirement[]): NameScope {
  const ids = requires.flatMap(({ id, importName }) => (id !== undefined && importName === undefined ? [id] : []));
  return { names: requires.map(({ name, importName }) => importName ?? name), ids };
}

function encapsulatedLogic(context: LogicContext, element: XmlElement, scope: NameScope): FunctionLogic {
  const logic = childOf(element, 'encapsulatedLogic');
  if (logic !== undefined) return compileFunction(context, logic, scope);
  const message = `The business knowledge model ${JSON.stringify(element.attributes.get('name') ?? '')} has no logic`;
  context.problems.warning(element.attributes.get('id'), message);
  return { kind: 'function', parameters: [], body: { kind: 'literal', expression: { unreadable: message } } };
}

/** Parameters are the input data, then the input decisions, in the order of DMN 1.5 section 10.4. */
function partsOfService(
  { links }: GraphElement,
  positions: ReadonlyMap<GraphElement, number>,
): { inputs: number[]; outputs: number[] } {
  const withRole = (role: string): number[] =>
    links.filter((link) => link.role === role).map(({ target }) => positions.get(target) as number);
  return { inputs: [...withRole('inputData'), ...withRole('inputDecision')], outputs: withRole('outputDecision') };
}

/** The shortest path of imports from the first file to each file. */
function summarize(files: readonly DmnFile[]): FileSummary[] {
  const paths = new Map<DmnFile, string[]>();
  const first = files[0] as DmnFile;
  paths.set(first, []);
  const waiting = [first];
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    for (const { file: imported, name } of file.imports) {
      if (paths.has(imported)) continue;
      paths.set(imported, name === '' ? (paths.get(file) as string[]) : [...(paths.get(file) as string[]), name]);
      waiting.push(imported);
    }
  }
  return files.map((file) => ({
    id: file.id,
    name: file.name,
    namespace: file.namespace,
    importPath: paths.get(file) ?? [],
  }));
}
