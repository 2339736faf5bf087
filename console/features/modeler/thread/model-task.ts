/** The tasks of the worker thread of the page, and its answers. */
import type { CompiledResource } from '@perdure/bpmn';
import type { Change } from '../changes/changes.js';

export type ModelTask = { kind: 'check'; xml: string } | { kind: 'compare'; before: string; after: string };

export type ModelProblems = CompiledResource['problems'];

export type ModelAnswer =
  | { kind: 'checked'; problems: ModelProblems }
  | { kind: 'compared'; changes: Change[] }
  | { kind: 'failed'; reason: string };

/** The part in use of a worker thread. */
export interface Thread {
  postMessage(task: ModelTask): void;
  terminate(): void;
  onmessage: ((event: { data: ModelAnswer }) => void) | null;
  onerror: ((event: { message: string }) => void) | null;
}
