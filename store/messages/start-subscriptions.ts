/**
 * Messages and signals that start instances, for the newest version of each process only. The instance's id is derived
 * from the publication, so that nothing starts twice.
 */
import { firstRow, rows, type Transaction } from '../sql/database.js';
import { derivedUUID } from '../sql/ids.js';
import { noteStart, takeByStart } from '../publications/ended-publications.js';
import { variablesOf, type KeptMessage } from './claims.js';
import { keepMessage } from './messages.js';
import { channelOf, type Channel, type PublicationType } from './correlation.js';
import { startTogether } from './parallel-starts.js';
import type { KeptSignal } from './signals.js';
import { startInstance } from '../instances/start.js';
import { lockSettings } from '../processes/locks.js';
import { noteOverflow } from '../processes/overflow.js';
import { indexedText } from '../sql/text.js';

interface StartSubscription {
  definitionID: string;
  processID: string;
  node: string;
  trigger: number;
  together: boolean;
  /** Whether the process has settings. */
  controlled: boolean;
}

/** A message or signal that starts a process: the node and the index of its trigger. */
export interface StartTrigger {
  node: string;
  trigger: number;
  type: PublicationType;
  name: string;
  /** Whether an instance starts only when all triggers of the node have arrived. */
  together?: boolean;
}

/** Stores the start subscriptions of a process version. While a newer version exists, nothing starts this one. */
export async function addStartSubscriptions(
  transaction: Transaction,
  definitionID: string,
  triggers: readonly StartTrigger[],
): Promise<void> {
  for (const { node, trigger, type, name, together = false } of triggers) {
    await transaction.query(
      `INSERT INTO start_subscriptions (definition_id, project_id, node_id, trigger, type, name, channel, together, match_at)
       SELECT id, project_id, $2, $3, $4, $5, $6, $7, now() FROM definitions WHERE id = $1`,
      [definitionID, node, trigger, type, indexedText(name), channelOf(type, name), together],
    );
  }
}

/**
 * Publications from before a process was deployed, or while it was suspended, may start it while they are buffered.
 * Signals only if it was suspended for them: they have reached all other processes.
 */
export async function offerKept(transaction: Transaction, { projectID, channel }: Channel): Promise<void> {
  const { rowCount } = await transaction.query(
    'UPDATE start_subscriptions SET match_at = NULL WHERE channel = $1 AND project_id = $2 AND match_at IS NOT NULL',
    [channel, projectID],
  );
  if (rowCount === 0) return;
  await transaction.query(
    `UPDATE publications SET match_at = now()
     WHERE channel = $1 AND project_id = $2 AND (type = 'message' OR deferred_for <> '{}') AND claimed_by IS NULL AND match_at IS NULL AND expires_at > now()`,
    [channel, projectID],
  );
}

/**
 * Called if no subscription waits for the message: it starts one instance, or it is buffered; for a suspended
 * definition until resume, and for a process whose queue is full until there is room.
 * @returns whether pending work must be read again: the message has consumed others, or it could not be matched
 */
export async function startByMessage(transaction: Transaction, message: KeptMessage): Promise<boolean> {
  for (const start of await startsOf(transaction, message)) {
    if (start.together) {
      const started = await startTogether(transaction, message, start);
      if (started === 'started' || started === 'busy') return true;
    } else {
      const started = await startBy(transaction, message, start);
      if (started === undefined) continue;
      await takeByStart(transaction, [message.id], { ...start, workflowID: started.workflowID });
      return false;
    }
  }
  await keepMessage(transaction, message.id);
  return false;
}

/**
 * A signal starts one instance of every process that subscribes to it. It is buffered for processes that are suspended or
 * whose queue is full; when it is offered again, only for those.
 * @returns whether it can be delivered now; otherwise it stays due. The transaction may have locked places, which ends of
 *   instances wait for, so it must not wait for instances
 */
export async function startBySignal(transaction: Transaction, signal: KeptSignal): Promise<boolean> {
  if (signal.deliveredTo !== '0' && signal.deferredFor.length === 0) return true;
  const suspended: string[] = [];
  let holdsPlaces = false;
  for (const start of await startsOf(transaction, signal)) {
    if (signal.deferredFor.length > 0 && !signal.deferredFor.includes(start.processID)) continue;
    if (start.together) {
      const started = await startTogether(transaction, signal, start);
      if (started === 'busy') return false;
      if (started === 'refused') suspended.push(start.processID);
      holdsPlaces ||= started === 'started' && start.controlled;
    } else {
      const started = await startBy(transaction, signal, start);
      if (started === undefined) suspended.push(start.processID);
      else
        await noteStart(transaction, [signal.id], { workflowID: started.workflowID, definitionID: start.definitionID });
      holdsPlaces ||= started?.controlled === true;
    }
  }
  if (suspended.length > 0 || signal.deferredFor.length > 0) {
    await transaction.query('UPDATE publications SET deferred_for = $2 WHERE id = $1', [
      signal.id,
      [...new Set(suspended)],
    ]);
  }
  return !holdsPlaces;
}

async function startsOf(transaction: Transaction, { projectID, channel }: Channel): Promise<StartSubscription[]> {
  const starts = await rows<StartSubscription>(
    transaction,
    `SELECT s.definition_id AS "definitionID", d.process_id AS "processID", s.node_id AS node, s.trigger, s.together, d.controlled
     FROM start_subscriptions s JOIN definitions d ON d.id = s.definition_id
     WHERE s.channel = $1 AND s.project_id = $2
       AND d.version = (SELECT max(version) FROM definitions n WHERE n.project_id = d.project_id AND n.process_id = d.process_id)
     ORDER BY s.position`,
    [channel, projectID],
  );
  const controlled = starts.flatMap(({ controlled, processID }) => (controlled ? processID : []));
  if (controlled.length > 1) await lockSettings(transaction, projectID, controlled);
  return starts;
}

/**
 * @returns the instance, also if it was started before, and whether its start has locked settings; undefined if the
 *   definition is suspended or the queue of its process is full
 */
async function startBy(
  transaction: Transaction,
  publication: KeptMessage | KeptSignal,
  start: StartSubscription,
): Promise<{ workflowID: string; controlled: boolean } | undefined> {
  const workflowID = derivedUUID(publication.id, start.definitionID, start.node, start.trigger);
  if (await firstRow(transaction, 'SELECT 1 FROM instances WHERE workflow_id = $1', [workflowID]))
    return { workflowID, controlled: false };
  const started = await startInstance(transaction, {
    projectID: publication.projectID,
    definitionID: start.definitionID,
    workflowID,
    variables: {},
    startedBy: publication.publishedBy ?? undefined,
    startNode: start.node,
    startTrigger: start.trigger,
    payload: await variablesOf(transaction, publication),
    traceContext: publication.traceContext ?? undefined,
    relayed: true,
  });
  if (started.kind === 'started') return { workflowID, controlled: started.controlled };
  if (started.code === 'LIMIT_REACHED') await noteOverflow(transaction, publication.projectID, start.processID);
  return undefined;
}
