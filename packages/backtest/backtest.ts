/** One recorded instance against another version of its process. Nothing is written, and nothing is called. */
import type { Model } from '@perdure/engine/model/model.js';
import { issuesOfStart } from '@perdure/engine/start-issues.js';
import { compare } from './comparison/compare.js';
import { NO_START, type Comparison, type First, type Outcome } from './comparison/outcome.js';
import { Past } from './world/past.js';
import { Places } from './places.js';
import { Play, type Decisions } from './play.js';
import { PositionsAround, type Positions } from './positions.js';
import { reasonFor } from './comparison/reasons.js';
import { reasonToSkip, type Recording } from './recording.js';
import { runsOf, type Runs } from './runs.js';

export interface BacktestItem {
  readonly workflowID: string;
  readonly outcome: Outcome;
  readonly first?: First;
  /** OTHER_RESULT: names of variables of the process, sorted. */
  readonly variables?: readonly string[];
  /** Of the run of the candidate, if it ended, in virtual time. */
  readonly durationMs?: number;
  readonly durationBeforeMs?: number;
  /** A sentence with names of the model, and without values. Absent for SAME. */
  readonly reason?: string;
}

/** Both runs of one instance. */
export interface Backtested {
  readonly item: BacktestItem;
  /** How often each sequence flow was taken, by id; none of an instance that was skipped. */
  readonly flows: { readonly before: ReadonlyMap<string, number>; readonly after: ReadonlyMap<string, number> };
  /** Undefined for an instance that was skipped. Computed when it is called. */
  readonly runs: () => Runs | undefined;
  /** Of the run of the version; undefined if it has none. Plays it again when it is called. */
  readonly positions: () => Positions | undefined;
}

const NO_FLOWS: ReadonlyMap<string, number> = new Map();

/**
 * Plays `candidate` in the world of one instance that has ended, and compares.
 * @param candidate a version of the same process
 * @throws Error if it is another process
 */
export function backtest(recording: Recording, candidate: Model, decisions?: Decisions): Backtested {
  const { workflowID, model } = recording;
  if (candidate.root.id !== model.root.id)
    throw new Error(
      `Instance ${workflowID} ran process ${model.root.id}; it cannot be compared with process ${candidate.root.id}`,
    );
  const skipped = reasonToSkip(recording);
  if (skipped !== undefined)
    return {
      item: { workflowID, outcome: 'SKIPPED', reason: skipped },
      flows: { before: NO_FLOWS, after: NO_FLOWS },
      runs: () => undefined,
      positions: () => undefined,
    };
  const places = new Places();
  const past = new Past(recording, places);
  const start = missingStart(candidate, recording, past.startedAt);
  const play = start === undefined ? played(past, candidate, places, decisions) : undefined;
  const { problem, request, ...comparison } = play ? compare(past, play) : withoutStart(start!);
  const reason = reasonFor({ ...comparison, problem, request }, model, candidate);
  return {
    item: {
      workflowID,
      ...comparison,
      ...(play && play.state.status !== 'RUNNING' && { durationMs: play.now - past.startedAt }),
      durationBeforeMs: past.endedAt - past.startedAt,
      ...(reason !== undefined && { reason }),
    },
    flows: { before: past.trail.flows, after: play?.trail.flows ?? NO_FLOWS },
    runs: () => runsOf(past.trail.visits, play?.trail.visits ?? []),
    positions: () => play && positionsOf(recording, candidate, comparison.first, decisions),
  };
}

function played(past: Past, candidate: Model, places: Places, decisions: Decisions | undefined): Play {
  const play = new Play(past, candidate, places, decisions);
  play.run();
  return play;
}

function positionsOf(
  recording: Recording,
  candidate: Model,
  first: First | undefined,
  decisions: Decisions | undefined,
): Positions {
  const places = new Places();
  const positions = new PositionsAround(first);
  new Play(new Past(recording, places), candidate, places, decisions, (step) => positions.note(step)).run();
  return positions.all();
}

/** The node at which the instance started and the candidate cannot. */
function missingStart(candidate: Model, { start }: Recording, now: number): string | undefined {
  const { startNode, startAt } = start;
  if (startNode !== undefined && !candidate.find(startNode)) return startNode;
  if (startNode !== undefined || !startAt) return undefined;
  const unknown = startAt.find(({ nodeID }) => !candidate.find(nodeID));
  if (unknown) return unknown.nodeID;
  return issuesOfStart(candidate, start, now).length > 0 ? startAt[0]?.nodeID : undefined;
}

function withoutStart(nodeID: string): Comparison {
  return { outcome: 'INCIDENT', first: { nodeID, occurrence: 1 }, problem: NO_START };
}
