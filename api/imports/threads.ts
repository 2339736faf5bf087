/**
 * Threads for imports. A project uses at most one at a time, so that the move of a whole engine does not keep others from
 * importing.
 */
import type { ImportIssue } from '@perdure/engine/contract/imported.js';
import type { Turns } from '@perdure/lib/fair-turns.js';
import { inThreads } from '@perdure/lib/in-threads.js';
import { textOf } from '@perdure/lib/storable-json.js';
import type { BodyRead } from '../commands/operation.js';
import { problem } from '../contract/problem.js';
import type { ImportBody, OutlinedImport } from './outline.js';
import { newModels, performImportWork, type ImportWork, type ImportWorkDone } from './work.js';

const THREADS = {
  name: 'import instances',
  size: 2,
  timeoutMs: 10_000,
  heapMB: 512,
  bytesOf: (work: ImportWork) => sizeOf(buffersOf(work)),
  transfer: buffersOf,
};

const inThread = inThreads<ImportWork, ImportWorkDone>(
  new URL('./import-thread.js', import.meta.url),
  THREADS,
  (work) => performImportWork(work, newModels()),
);

/** @throws TurnRefused, TurnCanceled */
export async function readImport(bytes: Uint8Array<ArrayBuffer>, turns: Turns): Promise<BodyRead> {
  const done = await inThread({ kind: 'outline', bytes }, turns);
  if (!done) return { read: problem('BAD_REQUEST', tooCostly('Reading the import')), values: 0, bytesOnLoop: 0 };
  const { read, values } = JSON.parse(textOf(done.json)) as OutlinedImport;
  if (read.kind === 'problem') return { read, values, bytesOnLoop: 0 };
  const body: ImportBody = { ...read.value, bytes: done.parts[0]! };
  return { read: { kind: 'valid', value: body }, values, bytesOnLoop: done.json.byteLength };
}

export interface Drafted {
  issues: ImportIssue[];
  warnings: string[];
  /** Encoded, callers first; empty if there are issues. */
  instances: readonly Uint8Array[];
}

/**
 * Makes the states. The bytes of the body are empty afterward.
 * @throws TurnRefused, TurnCanceled
 */
export async function draftInThread(
  work: Omit<ImportWork & { kind: 'draft' }, 'kind'>,
  turns: Turns,
): Promise<Drafted> {
  const done = await inThread({ kind: 'draft', ...work }, turns);
  if (!done)
    return {
      issues: [
        { path: 'tokens', message: `${tooCostly('Making the instances')}. Import fewer tokens in one request.` },
      ],
      warnings: [],
      instances: [],
    };
  const { issues, warnings } = JSON.parse(textOf(done.json)) as Pick<Drafted, 'issues' | 'warnings'>;
  return { issues, warnings, instances: done.parts };
}

function buffersOf(work: ImportWork): ArrayBuffer[] {
  return [work.bytes, ...(work.kind === 'draft' ? work.graphs.map(([, text]) => text) : [])].map(
    ({ buffer }) => buffer,
  );
}

function sizeOf(buffers: readonly ArrayBuffer[]): number {
  return buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function tooCostly(work: string): string {
  return `${work} exceeded its limit (${THREADS.timeoutMs / 1000} s, ${THREADS.heapMB} MB)`;
}
