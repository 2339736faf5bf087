/** Draws marks on nodes and flows, where they cover neither labels nor each other. */
import type { FlowLabel, NodeMarks } from '../node-marks.js';
import { drawLabel, drawMark, widthOf } from './mark.js';
import { placesAt, placesOn, type Corner, type Point } from './places.js';
import { Space, type Rect } from './space.js';

interface Drawn extends Rect {
  id: string;
  /** Undefined for a process, which is the whole diagram and has no place on it. */
  parent?: unknown;
  /** The activity that an event is attached to. */
  host?: unknown;
  waypoints?: readonly Point[];
}
/** The parts of the viewer's services that this file uses. */
interface ElementRegistry {
  get(id: string): Drawn | undefined;
  forEach(visit: (element: Drawn, graphics: SVGElement) => void): void;
}
interface Overlays {
  add(elementID: string, type: string, overlay: { position: object; html: HTMLElement }): string;
  remove(filter: { type: string }): void;
}

export interface Marks {
  /** Replaces the marks that were drawn before. */
  draw(nodes: ReadonlyMap<string, NodeMarks> | undefined, flows: ReadonlyMap<string, FlowLabel> | undefined): void;
}

const TYPE = 'perdure';

/** @param viewer with a diagram that is drawn */
export function createMarks(viewer: { get<Service>(name: string): Service }): Marks {
  const registry = viewer.get<ElementRegistry>('elementRegistry');
  const overlays = viewer.get<Overlays>('overlays');
  let labels: Space | undefined;

  function place(space: Space, element: Drawn, html: HTMLElement, places: Iterable<Rect>): void {
    const found = firstFree(space, places);
    space.add(found);
    const { x, y } = originOf(element);
    overlays.add(element.id, TYPE, { position: { left: found.x - x, top: found.y - y }, html });
  }

  return {
    draw(nodes = new Map(), flows = new Map()) {
      overlays.remove({ type: TYPE });
      if (nodes.size + flows.size === 0) return;
      labels ??= spaceOfLabels(registry);
      const space = labels.copy();
      for (const [nodeID, mark] of nodes) {
        const element = registry.get(nodeID);
        if (element?.parent === undefined) continue;
        for (const [corner, html] of marksOf(mark))
          place(space, element, html, placesAt(element, widthOf(html), corner));
      }
      for (const [flowID, { text, title, change }] of flows) {
        const element = registry.get(flowID);
        if (element?.waypoints === undefined || text === undefined) continue;
        const html = drawLabel({
          text,
          title,
          tone: change === undefined ? 'plain' : change === 'more' ? 'better' : 'worse',
        });
        place(space, element, html, placesOn(element.waypoints, widthOf(html)));
      }
    },
  };
}

function marksOf(mark: NodeMarks): [Corner, HTMLElement][] {
  const marks: [Corner, HTMLElement][] = [];
  if (mark.tokens > 0) marks.push(['bottom-left', drawMark(mark.isPaused ? 'paused' : 'token', mark.tokens)]);
  if (mark.instances) marks.push(['bottom-left', drawMark('instance', mark.instances)]);
  if (mark.label) marks.push(['bottom-left', drawLabel(mark.label)]);
  if (mark.late) marks.push(['top-right', drawMark('late', mark.late)]);
  if (mark.incidents > 0) marks.push(['top-right', drawMark('incident', mark.incidents)]);
  if (mark.errors) marks.push(['top-right', drawMark('error', mark.errors)]);
  if (mark.failedScenarios) marks.push(['top-right', drawMark('failed', mark.failedScenarios)]);
  if (mark.warnings) marks.push(['top-left', drawMark('warning', mark.warnings)]);
  return marks;
}

/** The best place if none is free. */
function firstFree(space: Space, places: Iterable<Rect>): Rect {
  let best: Rect | undefined;
  for (const place of places) {
    best ??= place;
    if (space.isFree(place)) return place;
  }
  return best!;
}

function spaceOfLabels(registry: ElementRegistry): Space {
  const space = new Space();
  registry.forEach((element, graphics) => {
    // Flows are drawn with coordinates of the diagram.
    const { x, y } = element.waypoints ? { x: 0, y: 0 } : element;
    if (element.host) space.add(signOf(element));
    for (const text of graphics.querySelectorAll<SVGTextElement>(':scope > .djs-visual > text'))
      for (const line of text.querySelectorAll('tspan')) {
        const { x: left, y: top, width, height } = boxOf(line, text);
        if (width > 0) space.add({ x: x + left, y: y + top, width, height });
      }
  });
  return space;
}

/** The sign in the middle of an event. The event has its marks around it. */
function signOf({ x, y, width, height }: Rect): Rect {
  return { x: x + width / 3, y: y + height / 3, width: width / 3, height: height / 3 };
}

/** Labels of lanes are rotated. */
function boxOf(line: SVGTSpanElement, text: SVGTextElement): Rect {
  const { x, y, width, height } = line.getBBox();
  const turned = text.transform.baseVal.consolidate()?.matrix;
  if (turned === undefined) return { x, y, width, height };
  const [one, other] = [new DOMPoint(x, y), new DOMPoint(x + width, y + height)].map((point) =>
    point.matrixTransform(turned),
  );
  return {
    x: Math.min(one!.x, other!.x),
    y: Math.min(one!.y, other!.y),
    width: Math.abs(one!.x - other!.x),
    height: Math.abs(one!.y - other!.y),
  };
}

/** The corner that positions of overlays count from. */
function originOf({ x, y, waypoints }: Drawn): Point {
  if (waypoints === undefined) return { x, y };
  return { x: Math.min(...waypoints.map((point) => point.x)), y: Math.min(...waypoints.map((point) => point.y)) };
}
