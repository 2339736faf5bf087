/** Decides which parts of a bundle are new, from the newest versions in the project. Pure but for the new ids. */
import { randomUUID } from 'node:crypto';
import { canonicalJson } from '@perdure/lib/canonical-json.js';
import {
  templateIDsOf,
  type BoundTarget,
  type BundledProcess,
  type BundleFile,
  type FileState,
  type ItemKind,
  type Outcome,
  type TemplateFile,
} from './bundle.js';

interface Version {
  id: string;
  version: number;
}

export interface NewestProcess extends Version {
  graphSha256: string;
  forms: unknown;
  tools: unknown;
  /** Of the deployment that made it, by `itemKey`. */
  items: ReadonlyMap<string, string>;
}

export interface NewestDecisionFile extends Version {
  xml: string;
  imported: readonly string[];
  /** The highest version number. The newest file can have a lower one, because version numbers can be given. */
  lastVersion: number;
}

export interface NewestForm extends Version {
  schema: string;
}

/** The newest versions of what the bundle contains, by process id, definitions id, form id, and id of element template. */
export interface Newest {
  processes: ReadonlyMap<string, NewestProcess>;
  decisionFiles: ReadonlyMap<string, NewestDecisionFile>;
  forms: ReadonlyMap<string, NewestForm>;
  /** JSON of the templates with the id. */
  templates: ReadonlyMap<string, readonly string[]>;
}

export interface BundlePlan {
  processes: ReadonlyMap<string, Outcome>;
  decisionFiles: ReadonlyMap<string, Outcome>;
  forms: ReadonlyMap<string, Outcome>;
  /** By file name. */
  templateFiles: ReadonlyMap<string, FileState>;
  /** Targets of the binding `deployment`, by `itemKey`. */
  items: ReadonlyMap<string, Outcome>;
}

export function itemKey(kind: ItemKind, key: string): string {
  return `${kind} ${key}`;
}

export function planBundle(files: readonly BundleFile[], newest: Newest): BundlePlan {
  const forms = new Map<string, Outcome>();
  const decisionFiles = new Map<string, Outcome>();
  const templateFiles = new Map<string, FileState>();
  const items = new Map<string, Outcome>();
  for (const file of files) {
    if (file.kind === 'FORM') {
      const found = newest.forms.get(file.formID);
      const outcome = outcomeOf(found, found?.schema === file.schema);
      forms.set(file.formID, outcome);
      items.set(itemKey('FORM', file.formID), outcome);
    } else if (file.kind === 'TEMPLATE') {
      templateFiles.set(file.name, stateOfTemplates(file, newest.templates));
    } else if (file.kind === 'DMN') {
      const { definitionsID, xml, imported, decisions } = file.content;
      const found = newest.decisionFiles.get(definitionsID);
      const isSame = found?.xml === xml && canonicalJson(found.imported) === canonicalJson(imported);
      const outcome = outcomeOf(found, isSame, found?.lastVersion);
      decisionFiles.set(definitionsID, outcome);
      for (const { decisionID } of decisions) items.set(itemKey('DECISION', decisionID), outcome);
    }
  }
  const processes = planProcesses(
    files.flatMap((file) => (file.kind === 'BPMN' ? file.processes : [])),
    newest.processes,
    items,
  );
  for (const [processID, outcome] of processes) items.set(itemKey('PROCESS', processID), outcome);
  return { processes, decisionFiles, forms, templateFiles, items };
}

/** Templates with an id of the file that the file does not have are removed, so they count as a change. */
function stateOfTemplates(file: TemplateFile, newest: Newest['templates']): FileState {
  const before = templateIDsOf(file).flatMap((id) => newest.get(id) ?? []);
  const now = file.templates.map(({ text }) => text);
  return canonicalJson(before.toSorted()) === canonicalJson(now.toSorted()) ? 'UNCHANGED' : 'CREATED';
}

function outcomeOf(found: Version | undefined, isSame: boolean, lastVersion = found?.version ?? 0): Outcome {
  return found && isSame
    ? { id: found.id, version: found.version, state: 'UNCHANGED' }
    : { id: randomUUID(), version: lastVersion + 1, state: 'CREATED' };
}

/**
 * A process is new if its graph or a form in its file is, or if a target that it binds to the deployment is. Processes
 * can be targets of each other, so each new one makes those that call it new.
 */
function planProcesses(
  processes: readonly BundledProcess[],
  newest: ReadonlyMap<string, NewestProcess>,
  items: ReadonlyMap<string, Outcome>,
): Map<string, Outcome> {
  const parents = parentsOf(processes);
  const changed = new Set<string>();
  const queue = processes.filter((process) => !isSame(process, newest, items)).map(({ processID }) => processID);
  for (let processID = queue.pop(); processID !== undefined; processID = queue.pop()) {
    if (changed.has(processID)) continue;
    changed.add(processID);
    queue.push(...(parents.get(processID) ?? []), ...(parents.get(undefined) ?? []));
  }
  return new Map(
    processes.map(({ processID }) => [processID, outcomeOf(newest.get(processID), !changed.has(processID))]),
  );
}

/** The processes that call others, by called process; those whose target an expression selects are under undefined. */
function parentsOf(processes: readonly BundledProcess[]): Map<string | undefined, string[]> {
  const parents = new Map<string | undefined, string[]>();
  for (const { processID, targets } of processes) {
    for (const { kind, key } of targets)
      if (kind === 'PROCESS') parents.set(key, [...(parents.get(key) ?? []), processID]);
  }
  return parents;
}

/** As far as it does not depend on whether other processes of the bundle are new. */
function isSame(
  { processID, sha256, forms, tools, targets }: BundledProcess,
  newest: ReadonlyMap<string, NewestProcess>,
  items: ReadonlyMap<string, Outcome>,
): boolean {
  const found = newest.get(processID);
  if (!found || found.graphSha256 !== sha256) return false;
  if (canonicalJson([found.forms, found.tools]) !== canonicalJson([forms ?? null, tools ?? null])) return false;
  return targets.every((target) => keysOf(target, found, newest, items).every(isSameTarget));

  function isSameTarget([kind, key]: [ItemKind, string]): boolean {
    const before = found!.items.get(itemKey(kind, key));
    if (kind === 'PROCESS') return before !== undefined && before === newest.get(key)?.id;
    const outcome = items.get(itemKey(kind, key));
    return outcome?.state === 'UNCHANGED' && outcome.id === before;
  }
}

/** Every item that the target can lead to, before or now. */
function keysOf(
  { kind, key }: BoundTarget,
  { items: before }: NewestProcess,
  newest: ReadonlyMap<string, NewestProcess>,
  items: ReadonlyMap<string, Outcome>,
): [ItemKind, string][] {
  if (key !== undefined) return [[kind, key]];
  const prefix = itemKey(kind, '');
  const now = kind === 'PROCESS' ? [...newest.keys()].map((id) => itemKey(kind, id)) : [...items.keys()];
  const all = new Set([...before.keys(), ...now].filter((each) => each.startsWith(prefix)));
  return [...all].map((each) => [kind, each.slice(prefix.length)]);
}
