/** Two runs of one instance as common steps, and each run as of a step. */
import type { Schemas } from '@perdure/client';
import { times as inWords } from '../../components/values/times.js';
import type { FlowLabel, NodeMarks } from '../../features/diagram/node-marks.js';

export type Visit = Schemas['BpmnBacktestVisit'];
type First = NonNullable<Schemas['BpmnBacktestItem']['first']>;

/** How many visits of each run have begun. */
export interface Step {
  before: number;
  after: number;
}

/**
 * Visits that both runs have are one step. Others wait for nothing: a visit of only one run is a step, together with one of
 * only the other run.
 */
export function stepsOf(before: readonly Visit[], after: readonly Visit[]): Step[] {
  const steps: Step[] = [{ before: 0, after: 0 }];
  for (let at = steps[0]!; at.before < before.length || at.after < after.length; steps.push(at))
    at = nextOf(at, before[at.before], after[at.after]);
  return steps;
}

function nextOf(at: Step, one: Visit | undefined, other: Visit | undefined): Step {
  const onlyBefore = one !== undefined && !isAhead(one, at.after);
  const onlyAfter = other !== undefined && !isAhead(other, at.before);
  // On other branches the runs may have another order.
  const both = !onlyBefore && !onlyAfter && one?.counterpart === at.after + 1;
  return {
    before: at.before + (one !== undefined && (both || onlyBefore || !onlyAfter) ? 1 : 0),
    after: at.after + (other !== undefined && (both || onlyAfter || one === undefined) ? 1 : 0),
  };
}

/** Whether the other run comes to the same visit after its first `begun` visits. */
function isAhead({ counterpart = 0 }: Visit, begun: number): boolean {
  return counterpart > begun;
}

/** The step at which the visit of the first difference begins; the last one if it is not in the runs. */
export function openingStep(
  steps: readonly Step[],
  first: First | undefined,
  { before, after }: { before: readonly Visit[]; after: readonly Visit[] },
): number {
  const last = steps.length - 1;
  if (first === undefined) return last;
  const sides = [
    { side: 'before', number: numberOf(first, before) },
    { side: 'after', number: numberOf(first, after) },
  ] as const;
  // Another path parts after a node of the recorded run. Everything else is seen in the run of the version.
  const found = (first.expected ? sides : sides.toReversed()).find(({ number }) => number > 0);
  const at = found ? steps.findIndex((step) => step[found.side] >= found.number) : -1;
  return at < 0 ? last : at;
}

/** From 1; 0 if the run does not have it. */
function numberOf({ nodeID, occurrence }: First, visits: readonly Visit[]): number {
  let left = occurrence;
  return 1 + visits.findIndex((visit) => visit.nodeID === nodeID && (left -= 1) === 0);
}

/** The nodes that are active after the first `begun` visits. One that ended at once is active until the next one begins. */
export function activeNodes(visits: readonly Visit[], begun: number): Map<string, number> {
  const active = new Map<string, number>();
  for (const [index, { nodeID, endedAfter }] of visits.slice(0, begun).entries())
    if (index + 1 === begun || endedAfter === undefined || endedAfter >= begun)
      active.set(nodeID, (active.get(nodeID) ?? 0) + 1);
  return active;
}

/** Tokens, nodes that were visited, and the node of the first difference. */
export function nodeMarks(
  visits: readonly Visit[],
  begun: number,
  first: First | undefined,
): ReadonlyMap<string, NodeMarks> {
  const marks = new Map<string, NodeMarks>();
  const none = { tokens: 0, incidents: 0, isPaused: false };
  for (const { nodeID } of visits.slice(0, begun)) marks.set(nodeID, { ...none, heat: 1 });
  for (const [nodeID, tokens] of activeNodes(visits, begun)) marks.set(nodeID, { ...none, tokens });
  return first ? withDifference(marks, first.nodeID) : marks;
}

/** @param nodeID the node of the first difference */
export function withDifference(marks: ReadonlyMap<string, NodeMarks>, nodeID: string): ReadonlyMap<string, NodeMarks> {
  const own = marks.get(nodeID) ?? { tokens: 0, incidents: 0, isPaused: true };
  return new Map(marks).set(nodeID, {
    ...own,
    label: { text: 'differs', title: 'The first difference', tone: 'worse' },
  });
}

/** Flows that were taken: thick, and colored if only this run took them. */
export function takenFlows(
  visits: readonly Visit[],
  begun: number,
  change: 'more' | 'less',
): ReadonlyMap<string, FlowLabel> {
  const taken = new Map<string, { times: number; isOnlyHere: boolean }>();
  for (const { flows, counterpart } of visits.slice(0, begun))
    for (const flowID of flows) {
      const { times = 0, isOnlyHere = false } = taken.get(flowID) ?? {};
      taken.set(flowID, { times: times + 1, isOnlyHere: isOnlyHere || counterpart === undefined });
    }
  return new Map(
    [...taken].map(([flowID, { times, isOnlyHere }]) => [
      flowID,
      {
        text: times > 1 ? times.toLocaleString('en') : undefined,
        title: `Taken ${inWords(times)}`,
        weight: 3,
        change: isOnlyHere ? change : undefined,
      },
    ]),
  );
}
