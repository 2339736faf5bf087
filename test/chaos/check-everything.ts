/** With everything healed: all has ended, and what must hold of every instance holds. The table in docs/chaos.md names these. */
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { expect, vi } from 'vitest';
import type { Discrepancy } from '../../host/admin/verify/discrepancy.js';
import { findDiscrepancies } from '../../host/admin/verify/find-discrepancies.js';
import { StoredPayloadCodec } from '../../temporal/stored-payload-codec.js';
import { expectRightEnds } from '../faults/support/batch.js';
import { expectCountedOnce, expectStartedOnce } from '../faults/support/counted.js';
import { checkAudited, checkStartsAudited } from './audited.js';
import { checkLateCancels } from './cancel-trace.js';
import { checkReplays } from './histories.js';
import type { Happened } from './faults.js';
import { strangers } from './load.js';
import { operatorSubject } from './operators/operators.js';
import type { Play } from './play.js';
import { tally, unsent } from './settled.js';
import { checkStandstills } from './standstill.js';
import { checkSeen, checkStrangers } from './strangers.js';
import { checkDefinitionChanges, checkTimelines } from './timelines.js';
import { checkTimers } from './timers.js';
import type { Violations } from './violations.js';
import type { World } from './world.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import type { Database } from '../../store/sql/database.js';

export interface Checking {
  play: Play;
  world: World;
  store: PooledDatabase;
  /** From when on nothing broke and nothing was paused, in epoch milliseconds. */
  quietSince: number;
  faults: readonly Happened[];
  violations: Violations;
  /** Milliseconds until what is under way has ended. */
  patience: number;
  say(line: string): void;
}

const BETWEEN_LOOKS_MS = 2000;
const MAX_LOOKS = 4;
const BETWEEN_COMPARISONS_MS = 10_000;

export async function checkEverything(checking: Checking): Promise<void> {
  const { play, store, violations, patience, say } = checking;
  await violations.around(
    'R2, R18',
    'work under way',
    vi.waitFor(async () => expect(await unsent(store)).toEqual({}), { timeout: patience, interval: BETWEEN_LOOKS_MS }),
  );
  await play.load.close();
  say(`all have ended: ${await tally(store)}`);

  await checkLoad(checking);
  await checkOperators(checking);
  await checkProjects(checking);
  say('orders, parcels, operators, leases, searches and projects are checked');
  await checkTemporal(checking);
}

async function checkLoad({ play: { load, handOuts, pauser }, world, store, violations, say }: Checking): Promise<void> {
  const idsIn = (projectID: string) =>
    load.parcels.filter((parcel) => parcel.projectID === projectID).map(({ id }) => id);
  const orderIDs = load.placedOrders.map(({ orderID }) => orderID);
  const startedIDs = [...orderIDs, ...idsIn('demo')];
  await violations.around('R1', 'starts', expectStartedOnce(store, 'demo', startedIDs));
  await violations.around('R1', "strangers' starts", expectStartedOnce(store, strangers, idsIn(strangers)));
  await violations.around('R23', 'starts', checkStartsAudited(store, 'demo', startedIDs, violations));
  await violations.around('R2', 'orders', expectRightEnds(world.shop('viewer', 0), load.placedOrders));
  await violations.around('R4', 'acknowledged completions', expectCountedOnce(store, load.ledger.entries));
  await violations.around('R6', 'parcels', load.checkParcels(store, violations));
  handOuts.checkLeases(violations);
  await violations.around('R9', 'hand-outs during pauses', handOuts.checkPauses(store, pauser.pauses, violations));
  await violations.around(
    'R9',
    'steps during pauses',
    checkStandstills(store, pauser.standstills, violations).then((written) =>
      say(`${pauser.standstills.length} pauses were looked into, in which ${written} steps were written`),
    ),
  );
}

async function checkOperators({ play: { operators, pauser }, world, store, violations }: Checking): Promise<void> {
  const options = { caller: world.caller('viewer', 0), projectID: 'demo', actor: operatorSubject, violations };
  const actions = [...operators.operators.flatMap((operator) => operator.actions), ...pauser.actions];
  await violations.around('R19', 'timelines', checkTimelines(actions, options));
  await violations.around('R23', 'actions', checkAudited(store, actions, options));
  await violations.around('R19', 'definitions', checkDefinitionChanges(store, pauser.changes, options));
}

async function checkProjects({ play: { load, searchers }, world, store, violations }: Checking): Promise<void> {
  for (const [projectID, searcher] of [
    ['demo', searchers.demo],
    [strangers, searchers.strangers],
  ] as const) {
    const found = await searcher.search();
    violations.check(
      'R14',
      found === load.parcelsOf(projectID).length,
      () => `a search in ${projectID} found ${found} of ${load.parcelsOf(projectID).length} parcels when all had ended`,
    );
    await violations.around('R15', 'results of searches', checkSeen(store, projectID, searcher.seen, violations));
  }
  await violations.around(
    'R15',
    'the same ids in both projects',
    checkStrangers(world.caller('admin', 1), load.parcels, strangers, violations),
  );
}

/** R3, R4, R6, R7, R10 to R13, R17: the rows, the facts and Temporal tell the same. R16: every run of every history replays. R21: late cancels. */
async function checkTemporal({
  play,
  faults,
  world: { topology },
  store,
  quietSince,
  violations,
  say,
}: Checking): Promise<void> {
  const connection = await Connection.connect({ address: topology.temporal.address });
  try {
    // The input of a run says how many steps came before, and a large one is in Postgres.
    const dataConverter = { payloadCodecs: [new StoredPayloadCodec(store)] };
    const client = new Client({ connection, namespace: topology.temporal.namespace, dataConverter });
    await checkLateCancels(play.hostile.late, { store, client, faults }, violations);
    for (const { invariant, workflowID, found } of await discrepanciesThatStay(store, client))
      violations.add(invariant, `${workflowID}: ${found}`);
    await violations.around('R12', 'timers', checkTimers(store, quietSince, violations));
    say('rows, facts and Temporal are compared');
    say(await checkReplays(store, client, violations));
  } finally {
    await connection.close();
  }
}

/** The workflow ends after its last step commit, so a first discrepancy may disappear a moment later. */
async function discrepanciesThatStay(store: Database, client: Client): Promise<Discrepancy[]> {
  for (let looks = 1; ; looks += 1) {
    const { discrepancies } = await findDiscrepancies(store, client);
    if (discrepancies.length === 0 || looks === MAX_LOOKS) return discrepancies;
    await pause(BETWEEN_COMPARISONS_MS);
  }
}
