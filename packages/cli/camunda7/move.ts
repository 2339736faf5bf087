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
  /** Taken back, or a rollback was killed at it: the host has a canceled instance of this source. */
  | { id: string; kind: 'takenBack'; workflowID: string }
  /** Ended in the other engine. */
  | { id: string; kind: 'ended' }
  | { id: string; kind: 'refused'; reasons: readonly string[] };

/** Root instances of the process, in a fixed order. */
export async function rootsOf({ rest }: Pick<MoveContext, 'rest'>, processDefinitionKey: string): Promise<string[]> {
  const found = await rest.all<SourceInstance>('/process-instance', {
    processDefinitionKey,
    rootProcessInstances: true,
    sortBy: 'instanceId',
    sortOrder: 'asc',
  });
  return found.map(({ id }) => id);
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
  const fit = await fits.of(mapped);
  if (fit.kind === 'none') return refuse(rest, log, id, fit.reasons);
  const result = await target.import(mapped, fit.version, false);
  // A person has ended it here, so a person has to decide whether it continues there.
  if (result.kind === 'canceled') return { id, kind: 'takenBack', workflowID: result.workflowID };
  if (result.kind !== 'imported') return refuse(rest, log, id, result.kind === 'refused' ? result.reasons : []);
  const { workflowID, warnings } = result;
  const { processID, waitsAt } = mapped;
  log.write({ id, event: 'imported', workflowID, processID, waitsAt });
  if (!log.of(id).suspended.includes(id)) await suspendHere(context, log, id, workflowID);
  return { id, kind: 'imported', workflowID, notes: [...mapped.notes, ...warnings] };
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
