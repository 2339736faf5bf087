/** The first difference between the recorded run and that of the candidate. */
import { equalJson, type Variables } from '@perdure/engine/contract/json.js';
import { ROOT, type Wait } from '@perdure/engine/state/state.js';
import { TOO_MANY_STEPS, type Comparison } from './outcome.js';
import { occurrenceOf, PathDifferences, type Difference } from './path-differences.js';
import type { Past } from '../world/past.js';
import type { Play } from '../play.js';
import type { Stop, Visit } from '../trail.js';
import type { OtherRequest } from '../world/requests.js';

/** Something that the candidate cannot get past. */
interface Obstacle {
  readonly outcome: 'INCIDENT' | 'UNANSWERED';
  readonly visit: Visit;
  readonly nodeID: string;
  readonly at: number;
  readonly problem?: string;
  readonly request?: OtherRequest;
}

export function compare(past: Past, play: Play): Comparison {
  const endless = endlessRun(play);
  if (endless) return fromObstacle(play, endless);
  const paths = new PathDifferences(past.trail, play.trail);
  const obstacles = [...newIncidents(play), ...unanswered(play, paths)].sort((one, other) => one.at - other.at);
  const difference = paths.first;
  const obstacle = difference ? obstacleOf(difference, obstacles) : obstacles[0];
  if (obstacle) return fromObstacle(play, obstacle);
  if (difference) return fromPath(past, difference);
  if (!hasSameEnd(past, play)) return otherEnd(past);
  return compareVariables(past, play);
}

/**
 * The obstacle that comes before the difference of the paths, or that is at the node at which they part: an obstacle
 * explains why the candidate goes nowhere else.
 */
function obstacleOf({ after, at, found }: Difference, obstacles: readonly Obstacle[]): Obstacle | undefined {
  const isThere = ({ visit }: Obstacle) => visit === after || found.includes(visit);
  return obstacles.find((obstacle) => obstacle.at < at) ?? obstacles.find(isThere);
}

function newIncidents({ trail, knownTroubles }: Play): Obstacle[] {
  return [...trail.troubles.values()]
    .filter((trouble) => !knownTroubles.has(trouble))
    .map(({ visit, node, at, errorType }) => ({ outcome: 'INCIDENT', visit, nodeID: node, at, problem: errorType }));
}

/** A run without an end is reported as such, wherever it left the path of the recorded one. */
function endlessRun(play: Play): Obstacle | undefined {
  const { endless, trail, now } = play;
  const isHalted = newIncidents(play).some(({ problem }) => problem === 'RotationLimitError');
  if (endless === 'TOO_MANY_STEPS' || isHalted) {
    const visit = trail.visits.at(-1)!;
    return { outcome: 'INCIDENT', visit, nodeID: visit.node, at: now, problem: TOO_MANY_STEPS };
  }
  if (endless !== 'ONLY_OWN_MOVES') return undefined;
  const waits = Object.values(play.state.waits);
  const asked = [...trail.stops.values()].find(
    (stop) => stop.kind !== 'timer' && isOwnOf(stop) && play.state.waits[stop.id] !== undefined,
  );
  return asked ? obstacleAt(play, asked) : standstill(play, waits);
}

/** Questions without a recorded answer: those that are still open, and new work that was canceled without one. */
function unanswered(play: Play, paths: PathDifferences): Obstacle[] {
  const isStuck = play.state.status === 'RUNNING';
  const open = isStuck ? Object.values(play.state.waits) : [];
  const ids = new Set(open.map(({ id }) => id));
  const asked = [...play.trail.stops.values()].filter((stop) => isWaitedFor(play, paths, stop, ids));
  const stops = asked.map((stop) => obstacleAt(play, stop));
  return stops.length > 0 || !isStuck ? stops : [standstill(play, open)];
}

function isWaitedFor(play: Play, paths: PathDifferences, stop: Stop, open: ReadonlySet<number>): boolean {
  if (stop.kind === 'timer') return false;
  if (open.has(stop.id)) return isOwnOf(stop);
  return stop.kind !== 'subscription' && paths.isOnlyFound(stop.visit) && isWithoutAnswer(play, stop);
}

/** Whether the node itself waits, not an event around it that may never come. */
function isOwnOf({ node, visit }: Stop): boolean {
  return node === visit.node;
}

function isWithoutAnswer({ counterparts, otherRequests, past }: Play, stop: Stop): boolean {
  if (otherRequests.has(stop)) return true;
  const recorded = counterparts.get(stop);
  return recorded === undefined || past.answersTo(recorded).length === 0;
}

/** It differs from the moment on at which the recorded run no longer waited. */
function obstacleAt({ counterparts, otherRequests }: Play, stop: Stop): Obstacle {
  const { visit, at } = stop;
  const request = otherRequests.get(stop);
  if (request) return { outcome: 'UNANSWERED', visit, nodeID: visit.node, at, request };
  const recorded = counterparts.get(stop);
  const lasted = recorded?.closedAt === undefined ? 0 : recorded.closedAt - recorded.at;
  return { outcome: 'UNANSWERED', visit, nodeID: visit.node, at: at + lasted };
}

/** It runs, and waits only for events that never came, or for nothing: an ad-hoc sub-process in which nothing begins. */
function standstill({ trail, state, now }: Play, [wait]: readonly Wait[]): Obstacle {
  const [element] = Object.values(state.elements)
    .filter(({ id }) => id !== ROOT)
    .reverse();
  const visit = trail.visitOf(wait?.element ?? element?.id ?? ROOT)!;
  return { outcome: 'UNANSWERED', visit, nodeID: wait?.node ?? visit.node, at: now };
}

function fromObstacle({ trail }: Play, { outcome, visit, nodeID, problem, request }: Obstacle): Comparison {
  const occurrence = nodeID === visit.node ? occurrenceOf(trail, visit) : 1;
  return {
    outcome,
    first: { nodeID, occurrence },
    ...(problem !== undefined && { problem }),
    ...(request && { request }),
  };
}

function fromPath(past: Past, { after, expected, found }: Difference): Comparison {
  return {
    outcome: 'OTHER_PATH',
    first: {
      nodeID: after.node,
      occurrence: occurrenceOf(past.trail, after),
      expected: nodesOf(expected),
      found: nodesOf(found),
    },
  };
}

function nodesOf(visits: readonly Visit[]): string[] {
  return [...new Set(visits.map(({ node }) => node))].sort();
}

function hasSameEnd({ state, wasEndedByStore }: Past, play: Play): boolean {
  return play.state.status === state.status || (wasEndedByStore && play.state.status === 'CANCELED');
}

/** The same nodes, and another end: of the process itself nothing else is known. */
function otherEnd({ recording }: Past): Comparison {
  return { outcome: 'OTHER_PATH', first: { nodeID: recording.model.root.id, occurrence: 1, expected: [], found: [] } };
}

function compareVariables(past: Past, play: Play): Comparison {
  const before = past.variables;
  const after = play.state.elements[ROOT]?.variables ?? {};
  const variables = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !isSameIn(before, after, name))
    .sort();
  if (variables.length === 0) return { outcome: 'SAME' };
  const origin = originOf(past, play, variables);
  return {
    outcome: 'OTHER_RESULT',
    ...(origin && { first: { nodeID: origin.node, occurrence: occurrenceOf(play.trail, origin) } }),
    variables,
  };
}

/** The first visit that set one of them to another value, or that did not set it. */
function originOf(past: Past, play: Play, names: readonly string[]): Visit | undefined {
  const recorded = new Map(past.trail.visits.map((visit) => [visit.place, visit]));
  return play.trail.visits.find((visit) => {
    const before = recorded.get(visit.place)?.sets;
    return names.some((name) => {
      const [one, other] = [before?.get(name), visit.sets?.get(name)];
      return one === undefined || other === undefined ? one !== other : !equalJson(one, other);
    });
  });
}

function isSameIn(one: Variables, other: Variables, name: string): boolean {
  return Object.hasOwn(one, name) && Object.hasOwn(other, name) && equalJson(one[name]!, other[name]!);
}
