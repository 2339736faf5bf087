/** Problems between the files of a bundle. */
import type { FormsOfProcess } from '@perdure/engine/model/forms.js';
import type { Graph, Node } from '@perdure/engine/model/graph.js';
import { literalOf, targetsOf, type Target } from './deployment-targets.js';

/** The part of a readable file that others refer to, and its references. */
export interface BundledFile {
  readonly name: string;
  readonly processes?: readonly BundledProcess[];
  /** Of a decision file. */
  readonly definitionsID?: string;
  readonly decisionIDs?: readonly string[];
  readonly formID?: string;
  /** Each once. */
  readonly templateIDs?: readonly string[];
}

export interface BundledProcess {
  readonly processID: string;
  readonly graph: Graph;
  readonly forms?: FormsOfProcess | undefined;
}

export interface BundleProblem {
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly elementID?: string;
  readonly message: string;
}

const nouns = { PROCESS: 'Process', DECISION: 'Decision', FORM: 'Form' };

/** Problems that a host refuses the bundle for: something that two files contain, and missing targets of `deployment`. */
export function bundleErrors(files: readonly BundledFile[]): BundleProblem[] {
  const missing = missingTargets(files).filter(({ binding }) => binding?.kind === 'deployment');
  return [
    ...repeatedContents(files),
    ...missing.map(({ kind, key, node, file }) => ({
      severity: 'error' as const,
      file,
      elementID: node,
      message: `${nouns[kind]} ${JSON.stringify(key)} is bound to the deployment, but is not part of it. Add its file, or choose another binding.`,
    })),
  ];
}

/** References that lead out of the bundle: right if the project has what they name, and a mistake otherwise. */
export function bundleWarnings(files: readonly BundledFile[]): BundleProblem[] {
  const missing = missingTargets(files).filter(({ binding }) => binding?.kind !== 'deployment');
  return [
    ...missing.map(({ kind, key, node, file }) => ({
      severity: 'warning' as const,
      file,
      elementID: node,
      message: `${nouns[kind]} ${JSON.stringify(key)} is in none of the files. Correct its id unless the project has it already.`,
    })),
    ...uncaughtMessages(files),
  ];
}

/** A process, decision file, form, or element template that two files contain. */
export function repeatedContents(files: readonly BundledFile[]): BundleProblem[] {
  const first = new Map<string, string>();
  return files.flatMap((file) =>
    contentsOf(file).flatMap((what): BundleProblem[] => {
      const other = first.get(what);
      if (other === undefined) first.set(what, file.name);
      return other === undefined
        ? []
        : [{ severity: 'error', file: file.name, message: `${what} is also in ${other}. Remove one of them.` }];
    }),
  );
}

function contentsOf({ processes = [], definitionsID, formID, templateIDs = [] }: BundledFile): string[] {
  return [
    ...processes.map(({ processID }) => `Process ${processID}`),
    ...(definitionsID === undefined ? [] : [`Decision file ${definitionsID}`]),
    ...(formID === undefined ? [] : [`Form ${JSON.stringify(formID)}`]),
    ...templateIDs.map((id) => `Element template ${JSON.stringify(id)}`),
  ];
}

/** Targets that no file contains. */
function missingTargets(files: readonly BundledFile[]): (Target & { file: string })[] {
  const contained = new Set(files.flatMap(itemsIn));
  return files.flatMap(({ name: file, processes = [] }) =>
    processes
      .flatMap(({ graph, forms }) => targetsOf(graph, forms))
      .filter(({ kind, key }) => key !== undefined && !contained.has(`${kind} ${key}`))
      .map((target) => ({ ...target, file })),
  );
}

function itemsIn({ processes = [], decisionIDs = [], formID }: BundledFile): string[] {
  return [
    ...processes.map(({ processID }) => `PROCESS ${processID}`),
    ...decisionIDs.map((id) => `DECISION ${id}`),
    ...(formID === undefined ? [] : [`FORM ${formID}`]),
  ];
}

/** Messages that are thrown, and caught nowhere. Without a complaint if an expression names one that is caught. */
function uncaughtMessages(files: readonly BundledFile[]): BundleProblem[] {
  const named = files.flatMap(({ name: file, processes = [] }) =>
    processes.flatMap(({ graph }) => graph.nodes.flatMap((node) => messagesOf(node).map((one) => ({ ...one, file })))),
  );
  const caught = new Set(named.filter(({ isThrown }) => !isThrown).map(({ name }) => name));
  if (caught.has(undefined)) return [];
  return named
    .filter(({ isThrown, name }) => isThrown && name !== undefined && !caught.has(name))
    .map(({ name, node, file }) => ({
      severity: 'warning',
      file,
      elementID: node,
      message: `Message ${JSON.stringify(name)} is caught in none of the files. Correct its name unless another process of the project catches it.`,
    }));
}

interface NamedMessage {
  readonly node: string;
  /** Undefined if an expression names it at run time. */
  readonly name: string | undefined;
  readonly isThrown: boolean;
}

function messagesOf(node: Node): NamedMessage[] {
  const isThrown = ['intermediateThrowEvent', 'endEvent', 'sendTask'].includes(node.kind);
  const own = 'message' in node && node.message ? [node.message] : [];
  const triggers = 'triggers' in node ? node.triggers.filter((trigger) => trigger.kind === 'message') : [];
  return [...own, ...triggers].map(({ name }) => ({ node: node.id, name: literalOf(name), isThrown }));
}
