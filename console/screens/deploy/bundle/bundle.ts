/** The content of a bundle, and what the host says about it. */
import { placesOf } from '@perdure/xml/places.js';
import { ApiProblem, type Schemas } from '../../../frame/api/client.js';
import { sentenceOf } from '../../../components/feedback/states.js';
import { readFile } from '../read-file.js';
import type { Collected, FoundFile } from './collect.js';

export interface BundleFile {
  name: string;
  content: string;
}

export interface Bundle {
  files: BundleFile[];
  passedOver: readonly string[];
  /** Of files that cannot be read. */
  problems: FileProblem[];
}

export type FileProblem = Schemas['BpmnValidationIssue'] & { file: string; line?: number; column?: number };

export async function readBundle({ models, passedOver }: Collected): Promise<Bundle> {
  const bundle: Bundle = { files: [], passedOver, problems: [] };
  for (const { name, file } of models) await readInto(bundle, { name, file });
  return bundle;
}

async function readInto({ files, problems }: Bundle, { name, file }: FoundFile): Promise<void> {
  try {
    files.push({ name, content: (await readFile(file)).xml });
  } catch (error) {
    files.push({ name, content: '' });
    problems.push({ file: name, severity: 'error', message: sentenceOf(error) });
  }
}

/** The problems of a bundle that was refused because of them; undefined for any other error. */
export function refusedProblems(error: unknown): FileProblem[] | undefined {
  if (!(error instanceof ApiProblem) || error.code !== 'INVALID_MODEL') return undefined;
  const { errors = [], warnings = [] } = error.details as { errors?: FileProblem[]; warnings?: FileProblem[] };
  return [...errors, ...warnings];
}

export function warningsOf({ files }: Schemas['BpmnDeployment']): FileProblem[] {
  return files.flatMap(({ name, warnings = [] }) => warnings.map((warning) => ({ ...warning, file: name })));
}

/** Adds the line and column of the element to each problem that has none. */
export function located(problems: readonly FileProblem[], files: readonly BundleFile[]): FileProblem[] {
  const contents = new Map(files.map(({ name, content }) => [name, content]));
  const wanted = new Map<string, Set<string>>();
  for (const { file, elementID, line } of problems) {
    if (elementID === undefined || line !== undefined) continue;
    wanted.set(file, (wanted.get(file) ?? new Set<string>()).add(elementID));
  }
  const places = new Map([...wanted].map(([file, ids]) => [file, placesOf(contents.get(file) ?? '', ids)]));
  return problems.map((problem) => ({
    ...problem,
    ...(problem.line === undefined && places.get(problem.file)?.get(problem.elementID ?? '')),
  }));
}
