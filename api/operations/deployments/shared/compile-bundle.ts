/** Compiles the files of a bundle and collects the problems of all of them. */
import { setImmediate as nextRound } from 'node:timers/promises';
import { compileResource } from '@perdure/bpmn';
import { bundleErrors, type BundledFile } from '@perdure/bpmn/compile/references/bundle.js';
import { deploymentTargets } from '@perdure/bpmn/compile/references/deployment-targets.js';
import { readElementTemplates } from '@perdure/bpmn/element-templates/read.js';
import { declaredAsUtf8 } from '@perdure/lib/model-files/declaration.js';
import { modelKind } from '@perdure/lib/model-files/kind.js';
import type { WorkDone } from '@perdure/dmn/work.js';
import { readForm } from '@perdure/forms/read-form.js';
import type { Turns } from '@perdure/lib/fair-turns.js';
import { templateIDsOf, type BundleFile } from '../../../../store/definitions/bundle.js';
import { compileWithImports, namespacesOf } from '../../dmn/shared/file.js';
import type { FileIssue } from './issues.js';
import type { Database } from '../../../../store/sql/database.js';

export interface GivenFile {
  name: string;
  content: string;
}

export interface CompiledBundle {
  /** Those that could be read; complete if no issue is an error. */
  files: BundleFile[];
  issues: FileIssue[];
}

/** One file after another, so that a bundle leaves compiler threads, and the event loop, to others. */
export async function compileBundle(
  store: Database,
  projectID: string,
  given: readonly GivenFile[],
  turns: Turns,
): Promise<CompiledBundle> {
  const bundle: CompiledBundle = { files: [], issues: [] };
  const together = await decisionFilesByNamespace(given, turns);
  for (const file of given) {
    const kind = modelKind(file.name);
    if (kind === 'BPMN') await compileBpmn(file, bundle, turns);
    else if (kind === 'DMN')
      await compileDmn(file, bundle, (xml) => compileWithImports(store, projectID, { xml, together }, turns));
    else if (kind === 'FORM') compileForm(file, bundle);
    else compileTemplates(file, bundle);
    await nextRound();
  }
  bundle.issues.push(...bundleErrors(bundle.files.map(toBundled)));
  return bundle;
}

/** The decision files, by the namespace that others import them by. */
async function decisionFilesByNamespace(given: readonly GivenFile[], turns: Turns): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { content } of given.filter(({ name }) => modelKind(name) === 'DMN')) {
    const { own } = await namespacesOf(content, turns);
    if (own !== undefined) found.set(own, content);
  }
  return found;
}

async function compileBpmn(
  { name, content }: GivenFile,
  { files, issues }: CompiledBundle,
  turns: Turns,
): Promise<void> {
  const { definitionsID, processes, problems } = await compileResource(content, turns);
  issues.push(...problems.map((problem) => ({ ...problem, file: name })));
  if (problems.some(({ severity }) => severity === 'error')) return;
  files.push({
    kind: 'BPMN',
    name,
    xml: declaredAsUtf8(content),
    definitionsID,
    processes: processes.map((process) => ({ ...process, targets: deploymentTargets(process.graph, process.forms) })),
  });
}

async function compileDmn(
  { name, content: xml }: GivenFile,
  { files, issues }: CompiledBundle,
  compile: (xml: string) => Promise<WorkDone>,
): Promise<void> {
  const { content, problems } = await compile(xml);
  issues.push(...problems.map((problem) => ({ ...problem, file: name })));
  if (content && !problems.some(({ severity }) => severity === 'error')) files.push({ kind: 'DMN', name, content });
}

function compileForm({ name, content }: GivenFile, { files, issues }: CompiledBundle): void {
  const reading = readForm(content);
  if (!reading.ok)
    issues.push(...reading.problems.map((problem) => ({ severity: 'error' as const, ...problem, file: name })));
  else {
    const { id: formID, versionTag } = reading.form;
    files.push({ kind: 'FORM', name, formID, versionTag, schema: content });
  }
}

function compileTemplates({ name, content }: GivenFile, { files, issues }: CompiledBundle): void {
  const { templates, problems } = readElementTemplates(content);
  issues.push(...problems.map((problem) => ({ ...problem, file: name })));
  if (templates.length > 0) files.push({ kind: 'TEMPLATE', name, templates });
}

function toBundled(file: BundleFile): BundledFile {
  const { name } = file;
  if (file.kind === 'BPMN') return { name, processes: file.processes };
  if (file.kind === 'FORM') return { name, formID: file.formID };
  if (file.kind === 'TEMPLATE') return { name, templateIDs: templateIDsOf(file) };
  const { definitionsID, decisions } = file.content;
  return { name, definitionsID, decisionIDs: decisions.map(({ decisionID }) => decisionID) };
}
