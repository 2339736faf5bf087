/**
 * Moves instances: suspends each with all that it calls, reads it afterward, and imports it. What is written to the log
 * before each step lets a later move continue a killed one.
 */
import type { MoveLog } from './log.js';
import { mapInstance, type MoveMap } from './mapper.js';
import type { Fits, Inventory } from './plan.js';
import { SourceError, type SourceInstance, type SourceRest } from './rest.js';
import { calledBy, readSnapshot, type SourceModels } from './snapshot.js';
import type { Target } from './target.js';

export interface MoveContext {
  rest: SourceRest;
  target: Target;
  map: MoveMap;
  models: SourceModels;
  fits: Fits;
}

export type Moved =
  | { id: string; kind: 'imported'; workflowID: string; notes: readonly string[] }
  /** A move before has imported it. */
  | { id: string; kind: 'present'; workflowID: string }
  /** The host has it, but this log did not import it: a move with another log did, or a file. */
  | { id: string; kind: 'importedElsewhere'; workflowID: string }
  /** Taken back, or a rollback was killed at it: the host has a canceled instance of this source. */
  | { id: string; kind: 'takenBack'; workflowID: string }
  /** Ended in the other engine. */
  | { id: string; kind: 'ended' }
  | { id: string; kind: 'refused'; reasons: readonly string[] };

/** Root instances of the process, in a fixed order. One that begins or ends during the reading moves others to another page. */
export async function rootsOf({ rest }: Pick<MoveContext, 'rest'>, processDefinitionKey: string): Promise<string[]> {
  const found = await rest.all<SourceInstance>('/process-instance', {
    processDefinitionKey,
    rootProcessInstances: true,
    sortBy: 'instanceId',
    sortOrder: 'asc',
  });
  return [...new Set(found.map(({ id }) => id))];
}

/** Reads an instance as it is, and finds out where it fits. Changes nothing. */
export async function rehearse(context: MoveContext, inventory: Inventory, id: string): Promise<void> {
  const { rest, models, map, fits } = context;
  try {
    const mapped = mapInstance(await readSnapshot(rest, models, id), map);
    inventory.add(id, mapped, await fits.of(mapped));
  } catch (error) {
    if (!(await hasEnded(rest, id, error))) throw error;
  }
}

export async function moveOne(context: MoveContext, log: MoveLog, id: string): Promise<Moved> {
  const { imported, isTakingBack, isTakenBack, isSuspendedHere, suspended } = log.of(id);
  if (imported && (isTakingBack || isTakenBack)) return { id, kind: 'takenBack', workflowID: imported.workflowID };
  const wasSuspended = !suspended.includes(id);
  if (imported) {
    if (wasSuspended && !isSuspendedHere) await suspendHere(context, log, id, imported.workflowID);
    return { id, kind: 'present', workflowID: imported.workflowID };
  }
  try {
    return await suspendAndImport(context, log, id);
  } catch (error) {
    if (await hasEnded(context.rest, id, error)) return { id, kind: 'ended' };
    throw error;
  }
}

async function suspendAndImport(context: MoveContext, log: MoveLog, id: string): Promise<Moved> {
  const { rest, models, map, target, fits } = context;
  const running = await suspendTree(rest, log, id, id);
  if (running !== undefined) return refuse(rest, log, id, [`${running} cannot be suspended`]);
  const mapped = mapInstance(await readSnapshot(rest, models, id), map);
  const isImporting = log.of(id).isImporting === true;
  const fit = await fits.of(mapped);
  if (fit.kind === 'none') return refuse(rest, log, id, fit.reasons);
  if (fit.kind === 'fits') log.write({ id, event: 'importing' });
  const result = fit.kind === 'fits' ? await target.import(mapped, fit.version, false) : fit;
  if (!('workflowID' in result)) return refuse(rest, log, id, 'reasons' in result ? result.reasons : []);
  const { workflowID } = result;
  if (result.kind === 'present') {
    if (!isImporting) return leaveToOthers(rest, log, id, result);
    // A person has ended it here, so a person has to decide whether it continues there.
    if (result.isCanceled) return { id, kind: 'takenBack', workflowID };
  }
  const { processID, waitsAt } = mapped;
  log.write({ id, event: 'imported', workflowID, processID, waitsAt });
  if (!log.of(id).suspended.includes(id)) await suspendHere(context, log, id, workflowID);
  return {
    id,
    kind: 'imported',
    workflowID,
    notes: [...mapped.notes, ...('warnings' in result ? result.warnings : [])],
  };
}

/** One that was taken back continues there. Any other may be at work here, so it stays suspended there. */
async function leaveToOthers(
  rest: SourceRest,
  log: MoveLog,
  id: string,
  { workflowID, isCanceled }: { workflowID: string; isCanceled: boolean },
): Promise<Moved> {
  log.write({ id, event: 'importedElsewhere', workflowID });
  if (isCanceled) await resumeSource(rest, log, id);
  return { id, kind: isCanceled ? 'takenBack' : 'importedElsewhere', workflowID };
}

/** For a source that was suspended before the move. */
async function suspendHere({ target }: MoveContext, log: MoveLog, id: string, workflowID: string): Promise<void> {
  await target.suspend(workflowID);
  log.write({ id, event: 'suspendedHere' });
}

/**
 * Callers first: what is suspended calls nothing more.
 * @returns the id of an instance that still runs
 */
async function suspendTree(rest: SourceRest, log: MoveLog, root: string, id: string): Promise<string | undefined> {
  const path = `/process-instance/${encodeURIComponent(id)}`;
  const isSuspended = async () => (await rest.get<SourceInstance>(path)).suspended;
  if (!(await isSuspended())) {
    log.write({ id: root, event: 'suspending', instance: id });
    await rest.put(`${path}/suspended`, { suspended: true });
    if (!(await isSuspended())) return id;
  }
  for (const called of await calledBy(rest, id)) {
    const running = await suspendTree(rest, log, root, called.id);
    if (running !== undefined) return running;
  }
  return undefined;
}

/** It continues where it is. */
async function refuse(rest: SourceRest, log: MoveLog, id: string, reasons: readonly string[]): Promise<Moved> {
  log.write({ id, event: 'refused', reasons });
  await resumeSource(rest, log, id);
  return { id, kind: 'refused', reasons };
}

/** Those that the move has suspended, called ones first. */
export async function resumeSource(rest: SourceRest, log: MoveLog, id: string): Promise<void> {
  for (const instance of log.of(id).suspended.toReversed())
    try {
      await rest.put(`/process-instance/${encodeURIComponent(instance)}/suspended`, { suspended: false });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  log.write({ id, event: 'resumed' });
}

function isGone(error: unknown): boolean {
  return error instanceof SourceError && error.status === 404;
}

/** Parts of an instance that ends while it is read are errors of various kinds. */
async function hasEnded(rest: SourceRest, id: string, error: unknown): Promise<boolean> {
  if (!(error instanceof SourceError) || error.status === undefined) return false;
  if (isGone(error)) return true;
  try {
    await rest.get<SourceInstance>(`/process-instance/${encodeURIComponent(id)}`);
    return false;
  } catch (again) {
    return isGone(again);
  }
}
