/** The tasks of the worker thread of the page, and its answers. */
import type { CompiledResource } from '@perdure/bpmn';
import type { DecisionSummary } from '@perdure/dmn/summary.js';
import type { EvaluationResult } from '@perdure/dmn/answer.js';
import type { Change } from '../changes/changes.js';
import type { FileKind } from '../files/kinds.js';

/** A file to check. */
export interface CheckedFile {
  kind: FileKind;
  text: string;
  /** The texts of decision files that it imports. */
  imported: readonly string[];
}

/** An evaluation of a decision file. */
export interface TriedDecision {
  xml: string;
  imported: readonly string[];
  /** The id of the decision. */
  decisionID: string;
  context: Readonly<Record<string, unknown>>;
  /** In milliseconds. */
  now: number;
}

export type ModelTask =
  | { kind: 'check'; file: CheckedFile }
  | { kind: 'compare'; before: string; after: string }
  | { kind: 'evaluate'; tried: TriedDecision };

export type ModelProblems = CompiledResource['problems'];

/** The findings of a check. */
export interface CheckedModel {
  problems: ModelProblems;
  /** Of a DMN file that can be evaluated. */
  decisions?: readonly DecisionSummary[];
}

export type ModelAnswer =
  | ({ kind: 'checked' } & CheckedModel)
  | { kind: 'compared'; changes: Change[] }
  | { kind: 'evaluated'; results: readonly EvaluationResult[] }
  | { kind: 'failed'; reason: string };

/** The part in use of a worker thread. */
export interface Thread {
  postMessage(task: ModelTask): void;
  terminate(): void;
  onmessage: ((event: { data: ModelAnswer }) => void) | null;
  onerror: ((event: { message: string }) => void) | null;
}
