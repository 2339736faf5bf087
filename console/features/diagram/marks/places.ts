/** Where the marks of a diagram may be, best place first. */
import type { Rect } from './space.js';

export interface Point {
  x: number;
  y: number;
}
export type Corner = 'bottom-left' | 'top-right' | 'top-left';

export const MARK_HEIGHT = 22;
/** How far a mark sticks out of its node. */
const OUT = 11;
/** Around a node in a crowded diagram. */
const MAX_DISTANCE = 120;
const STEP = 12;

/** The corners and edges of a node, and then places farther and farther away from it. */
export function* placesAt(node: Rect, width: number, corner: Corner): Generator<Rect> {
  const corners = cornersOf(node, width);
  yield corners[corner];
  for (const other of Object.values(corners)) yield other;
  for (let distance = 0; distance <= MAX_DISTANCE; distance += STEP) yield* around(node, width, distance);
}

function cornersOf(node: Rect, width: number) {
  const left = node.x - OUT;
  const right = node.x + node.width - width + OUT;
  const top = node.y - OUT;
  const bottom = node.y + node.height - MARK_HEIGHT + OUT;
  return {
    'bottom-left': rect(left, bottom, width),
    'top-right': rect(right, top, width),
    'top-left': rect(left, top, width),
    'bottom-right': rect(right, bottom, width),
  };
}

/** Outside of the node. */
function* around(node: Rect, width: number, distance: number): Generator<Rect> {
  const middle = node.y + (node.height - MARK_HEIGHT) / 2;
  const center = node.x + (node.width - width) / 2;
  const above = node.y - MARK_HEIGHT - distance;
  const below = node.y + node.height + distance;
  for (const x of [node.x - OUT, node.x + node.width - width + OUT, center]) {
    yield rect(x, above, width);
    yield rect(x, below, width);
  }
  yield rect(node.x - width - distance, middle, width);
  yield rect(node.x + node.width + distance, middle, width);
}

const SHARES = [0.5, 0.35, 0.65, 0.2, 0.8];

/** On the segments of a flow, longest first: in the middle, and then farther from it. */
export function* placesOn(waypoints: readonly Point[], width: number): Generator<Rect> {
  const segments = waypoints.slice(1).map((to, index) => ({ from: waypoints[index]!, to }));
  const length = ({ from, to }: { from: Point; to: Point }) => Math.hypot(to.x - from.x, to.y - from.y);
  for (const { from, to } of segments.toSorted((one, other) => length(other) - length(one)))
    for (const share of SHARES) {
      const x = from.x + (to.x - from.x) * share;
      const y = from.y + (to.y - from.y) * share;
      yield rect(x - width / 2, y - MARK_HEIGHT / 2, width);
    }
}

function rect(x: number, y: number, width: number): Rect {
  return { x, y, width, height: MARK_HEIGHT };
}
