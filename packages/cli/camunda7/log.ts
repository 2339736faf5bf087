/**
 * The log of a move: one JSON document per line, appended before or after each change, so that a move that was killed
 * continues where it was. Of each instance, the lines together say what has been done.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { WrongUse } from '../wrong-use.js';

export type Entry =
  /** Written before the engine is asked: `instance` is suspended by the move, not by anyone before. */
  | { id: string; event: 'suspending'; instance: string }
  /** Written before the host is asked to import it. */
  | { id: string; event: 'importing' }
  | { id: string; event: 'imported'; workflowID: string; processID: string; waitsAt: readonly string[] }
  /** The imported instance was suspended, as it was before. */
  | { id: string; event: 'suspendedHere' }
  | { id: string; event: 'refused'; reasons: readonly string[] }
  /** The host had it as this instance before the move asked for it. */
  | { id: string; event: 'importedElsewhere'; workflowID: string }
  /** Written before the host is asked to cancel the imported instance. */
  | { id: string; event: 'takingBack' }
  | { id: string; event: 'kept'; reason: string }
  | { id: string; event: 'takenBack' }
  /** The source continues. */
  | { id: string; event: 'resumed' };

/** The progress of one root instance. */
export interface Progress {
  /** Instances that the move has suspended, the root first. */
  suspended: string[];
  /** The host may have it, even if the log does not know as which instance. */
  isImporting?: true;
  imported?: { workflowID: string; processID: string; waitsAt: readonly string[] };
  isSuspendedHere?: true;
  isTakingBack?: true;
  isTakenBack?: true;
}

export interface MoveLog {
  readonly path: string;
  of(id: string): Progress;
  /** Of all instances in the log. */
  all(): ReadonlyMap<string, Progress>;
  write(entry: Entry): void;
}

/** @throws WrongUse if the file is not a log, or that of another move */
export function openLog(path: string, source: { url: string; key: string }): MoveLog {
  const found = new Map<string, Progress>();
  if (existsSync(path)) {
    for (const entry of readEntries(path, source)) apply(found, entry);
  } else append(path, { move: 1, ...source });
  return {
    path,
    of: (id) => found.get(id) ?? { suspended: [] },
    all: () => found,
    write(entry) {
      append(path, { at: new Date().toISOString(), ...entry });
      apply(found, entry);
    },
  };
}

function append(path: string, line: object): void {
  appendFileSync(path, `${JSON.stringify(line)}\n`);
}

/** The last line can be cut off. */
function readEntries(path: string, { url, key }: { url: string; key: string }): Entry[] {
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n');
  const rest = lines.pop()!;
  const [head, ...entries] = lines.map((line, index) => parse(path, line, index)) as [
    { move?: number; url?: string; key?: string } | undefined,
    ...Entry[],
  ];
  if (head?.move !== 1) throw new WrongUse(`${path} is not the log of a move. Name another file with --log.`);
  if (head.url !== url || head.key !== key)
    throw new WrongUse(`${path} is the log of process ${head.key} at ${head.url}. Name another file with --log.`);
  // The next entry must begin a line.
  if (rest !== '') appendFileSync(path, '\n');
  return entries.filter((entry) => entry !== undefined);
}

function parse(path: string, line: string, index: number): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    // A line that was cut off, and ended by the next move.
    if (index > 0) return undefined;
    throw new WrongUse(`${path} is not the log of a move. Name another file with --log.`);
  }
}

function apply(found: Map<string, Progress>, entry: Entry): void {
  const progress = found.get(entry.id) ?? { suspended: [] };
  found.set(entry.id, progress);
  switch (entry.event) {
    case 'suspending':
      if (!progress.suspended.includes(entry.instance)) progress.suspended.push(entry.instance);
      return;
    case 'importing':
      progress.isImporting = true;
      return;
    case 'imported': {
      const { workflowID, processID, waitsAt } = entry;
      progress.imported = { workflowID, processID, waitsAt };
      return;
    }
    case 'suspendedHere':
      progress.isSuspendedHere = true;
      return;
    case 'takingBack':
      progress.isTakingBack = true;
      return;
    case 'kept':
      delete progress.isTakingBack;
      return;
    case 'takenBack':
      progress.isTakenBack = true;
      return;
    case 'resumed':
      progress.suspended = [];
      return;
    case 'refused':
    case 'importedElsewhere':
      delete progress.isImporting;
      return;
  }
}
