/** The files of a bundle, compiled, and what their deployment makes of them. */
import type { DefinitionContent } from '@perdure/dmn/definition-content.js';
import type { CompiledProcess } from './new-definition.js';

export type ItemKind = 'PROCESS' | 'DECISION' | 'FORM';

/** A reference with the binding `deployment`; without a key, an expression selects it at run time. */
export interface BoundTarget {
  kind: ItemKind;
  key: string | undefined;
}

export interface BundledProcess extends CompiledProcess {
  targets: readonly BoundTarget[];
}

export interface BpmnFile {
  kind: 'BPMN';
  name: string;
  xml: string;
  definitionsID: string;
  processes: readonly BundledProcess[];
}

export interface DmnFile {
  kind: 'DMN';
  name: string;
  content: DefinitionContent;
}

export interface FormFile {
  kind: 'FORM';
  name: string;
  formID: string;
  versionTag?: string | undefined;
  /** As it came. */
  schema: string;
}

/** One template for modelers. */
export interface ElementTemplate {
  id: string;
  version?: number | undefined;
  /** JSON. */
  text: string;
}

export interface TemplateFile {
  kind: 'TEMPLATE';
  name: string;
  /** At least one; several can have the same id. */
  templates: readonly ElementTemplate[];
}

export type BundleFile = BpmnFile | DmnFile | FormFile | TemplateFile;

/** Each once. */
export function templateIDsOf({ templates }: TemplateFile): string[] {
  return [...new Set(templates.map(({ id }) => id))];
}

export type FileState = 'CREATED' | 'UNCHANGED';

/** Result for a process, a decision file, or a form. */
export interface Outcome {
  id: string;
  version: number;
  state: FileState;
}

/** Result for a file, as a deployment records it. */
export interface DeployedFile {
  name: string;
  kind: BundleFile['kind'];
  state: FileState;
  resourceID?: string | undefined;
  definitionID?: string | undefined;
  formID?: string | undefined;
  version?: number | undefined;
  templateIDs?: string[] | undefined;
  processes?: { processID: string; definitionID?: string | undefined; version: number; state: FileState }[] | undefined;
}
