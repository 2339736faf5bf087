/** The model files of scenarios, compiled once for all scenarios that use them. */
import { compile, type CompiledProcess } from '@perdure/bpmn/compile/compile.js';
import { repeatedContents, type BundledFile } from '@perdure/bpmn/compile/references/bundle.js';
import { readForm } from '@perdure/forms/read-form.js';
import { Decisions } from '../decisions.js';
import { ModelRefused } from '../model-refused.js';

export interface ScenarioFile {
  /** Ends with `.bpmn`, `.dmn`, or `.form`. */
  name: string;
  text: string;
}

export interface Bundle {
  /** Names of the files. */
  files: readonly string[];
  processes: readonly BundledProcess[];
  decisions: Decisions;
}

export type BundledProcess = CompiledProcess & { file: string };

/** @throws ModelRefused if a host would refuse a file, or two files contain the same */
export async function openBundle(files: readonly ScenarioFile[]): Promise<Bundle> {
  const of = (ending: string) => files.filter(({ name }) => name.toLowerCase().endsWith(ending));
  const processes: BundledProcess[] = [];
  for (const { name, text } of of('.bpmn')) {
    const compiled = await compile(text);
    refuse(name, compiled.problems);
    processes.push(...compiled.processes.map((process) => ({ ...process, file: name })));
  }
  const forms = of('.form').map(({ name, text }) => ({ name, formID: formOf(name, text) }));
  const decisions = new Decisions(of('.dmn').map(({ name, text }) => ({ name, xml: text })));
  for (const { file, ...problem } of repeatedContents([...bundled(processes), ...forms, ...decisions.bundled()]))
    refuse(file, [problem]);
  return { files: files.map(({ name }) => name), processes, decisions };
}

function refuse(file: string, problems: readonly { severity: string; elementID?: string; message: string }[]): void {
  if (problems.some(({ severity }) => severity === 'error')) throw new ModelRefused(file, problems);
}

function formOf(file: string, text: string): string {
  const reading = readForm(text);
  if (reading.ok) return reading.form.id;
  throw new ModelRefused(
    file,
    reading.problems.map((problem) => ({ severity: 'error', ...problem })),
  );
}

function bundled(processes: readonly BundledProcess[]): BundledFile[] {
  return [...new Set(processes.map(({ file }) => file))].map((name) => ({
    name,
    processes: processes.filter(({ file }) => file === name),
  }));
}
