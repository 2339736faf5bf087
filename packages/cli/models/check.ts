/** Checks model files as the host does when it deploys them. */
import { compile } from '@perdure/bpmn/compile/compile.js';
import {
  bundleErrors,
  bundleWarnings,
  repeatedContents,
  type BundledFile,
} from '@perdure/bpmn/compile/references/bundle.js';
import { readElementTemplates } from '@perdure/bpmn/element-templates/read.js';
import { compileModel, importedNamespaces, ownNamespace, summarizeDecisions } from '@perdure/dmn';
import { readForm } from '@perdure/forms/read-form.js';
import { locateDiagnostics, type Diagnostic, type LocatedDiagnostic } from '../diagnostics.js';
import type { ReadModel } from './read.js';

/** The result that deploying one file would have. */
export interface CheckedModel {
  readonly file: string;
  readonly problems: readonly LocatedDiagnostic[];
  /** The ids of what it would deploy; empty if the host would refuse it. */
  readonly deploys: readonly string[];
}

type Problem = Diagnostic & { readonly line?: number; readonly column?: number };

interface Compiled {
  readonly problems: readonly Problem[];
  readonly deploys: readonly string[];
  /** Absent if the file has errors. */
  readonly bundled?: Omit<BundledFile, 'name'>;
}

/** @param isWhole whether the files are all that there is, so that a reference to something else deserves a warning */
export async function checkModels(models: readonly ReadModel[], isWhole: boolean): Promise<CheckedModel[]> {
  const namespaces = decisionFilesByNamespace(models);
  const compiled = new Map<ReadModel, Compiled>();
  for (const model of models) compiled.set(model, await compileOne(model, namespaces));
  const bundled = [...compiled].flatMap(([{ name }, one]) => (one.bundled ? [{ name, ...one.bundled }] : []));
  const isReadable = bundled.length === models.length;
  // References to what a file with errors contains would be reported as missing.
  const problems = isReadable
    ? [...bundleErrors(bundled), ...(isWhole ? bundleWarnings(bundled) : [])]
    : repeatedContents(bundled);
  return [...compiled].map(([model, one]) => {
    const own: Problem[] = [...one.problems, ...problems.filter(({ file }) => file === model.name)];
    const isRefused = own.some(({ severity }) => severity === 'error');
    return { file: model.path, problems: locate(model, own), deploys: isRefused ? [] : one.deploys };
  });
}

function compileOne(model: ReadModel, namespaces: ReadonlyMap<string, string>): Compiled | Promise<Compiled> {
  if (model.kind === 'FORM') return compileForm(model.content);
  if (model.kind === 'TEMPLATE') return checkTemplates(model.content);
  if (model.kind === 'DMN') return compileDecisions(model.content, namespaces);
  return compileProcesses(model.content);
}

async function compileProcesses(xml: string): Promise<Compiled> {
  const { problems, processes } = await compile(xml);
  const isRefused = problems.some(({ severity }) => severity === 'error');
  return {
    problems,
    deploys: processes.map(({ processID }) => processID),
    ...(!isRefused && { bundled: { processes } }),
  };
}

function compileDecisions(xml: string, namespaces: ReadonlyMap<string, string>): Compiled {
  const { problems, model } = compileModel(xml, importsOf(xml, namespaces));
  const [file] = model?.files ?? [];
  if (file === undefined || problems.some(({ severity }) => severity === 'error')) return { problems, deploys: [] };
  const decisionIDs = summarizeDecisions(model!).map(({ decisionID }) => decisionID);
  return { problems, deploys: [file.id], bundled: { definitionsID: file.id, decisionIDs } };
}

function compileForm(text: string): Compiled {
  const reading = readForm(text);
  if (!reading.ok)
    return { problems: reading.problems.map((one) => ({ severity: 'error' as const, ...one })), deploys: [] };
  return { problems: [], deploys: [reading.form.id], bundled: { formID: reading.form.id } };
}

function checkTemplates(text: string): Compiled {
  const { templates, problems } = readElementTemplates(text);
  const templateIDs = [...new Set(templates.map(({ id }) => id))];
  return { problems, deploys: templateIDs, ...(templateIDs.length > 0 && { bundled: { templateIDs } }) };
}

function decisionFilesByNamespace(models: readonly ReadModel[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { kind, content } of models) {
    const namespace = kind === 'DMN' ? ownNamespace(content) : undefined;
    if (namespace !== undefined) found.set(namespace, content);
  }
  return found;
}

/** The files among the models that a file imports, directly or indirectly. */
function importsOf(xml: string, namespaces: ReadonlyMap<string, string>): string[] {
  const found = new Map<string, string>();
  const visit = (text: string) => {
    for (const namespace of importedNamespaces(text)) {
      const other = namespaces.get(namespace);
      if (other === undefined || found.has(namespace)) continue;
      found.set(namespace, other);
      visit(other);
    }
  };
  visit(xml);
  return [...found.values()];
}

function locate({ path, content }: ReadModel, problems: readonly Problem[]): LocatedDiagnostic[] {
  return problems.flatMap(({ severity, elementID, message, line, column = 1 }) => {
    const problem = { severity, message, ...(elementID !== undefined && { elementID }) };
    return line === undefined
      ? locateDiagnostics(path, content, [problem])
      : [{ file: path, line, column, ...problem }];
  });
}
