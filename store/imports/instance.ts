/** An imported instance whose state has been made and checked: what is written of it, encoded by the thread that made it. */
import type { FactOf } from '@perdure/engine/contract/facts.js';
import type { ImportSource } from '@perdure/engine/contract/imported.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { textOf } from '@perdure/lib/storable-json.js';
import type { ImportedComment } from './comments.js';

export interface InstanceToImport {
  workflowID: string;
  definitionID: string;
  source: ImportSource;
  createdAt?: string | undefined;
  startedBy?: string | undefined;
  parent?: { workflowID: string; wait: number } | undefined;
  depth: number;
  /** Of the process. */
  variables: Variables;
  fact: FactOf<'INSTANCE_IMPORTED'>;
  activeNodes: string[];
  /** The scope of each open incident. */
  incidentScopes?: Record<number, number> | undefined;
  /** User tasks that were created before the import. */
  taskTimes: readonly { number: number; createdAt: string }[];
  comments: readonly ImportedComment[];
}

export function encodeInstance(instance: InstanceToImport): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(instance));
}

/** Takes milliseconds, because the limits of every instance hold. */
export function decodeInstance(encoded: Uint8Array): InstanceToImport {
  return JSON.parse(textOf(encoded)) as InstanceToImport;
}
