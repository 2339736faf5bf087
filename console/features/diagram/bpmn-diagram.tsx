import 'bpmn-js/dist/assets/diagram-js.css';
import 'bpmn-js/dist/assets/bpmn-js.css';
import NavigatedViewer from 'bpmn-js/lib/NavigatedViewer';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { IconButton } from '../../components/basics/button.js';
import { classes } from '../../components/basics/classes.js';
import { EmptyState, sentenceOf } from '../../components/feedback/states.js';
import type { DiagramProps } from './diagram.js';
import styles from './diagram.module.css';
import { drawInSlices } from './draw-in-slices.js';
import { heatLooks } from './heat-looks.js';
import { drawLabel, drawMark } from './mark.js';
import type { FlowLabel, NodeMarks } from './node-marks.js';

/** The part of the viewer's services that this file uses. */
interface Canvas {
  zoom(level?: number | 'fit-viewport', center?: 'auto'): number;
  /** Invalidates the cached viewport size. */
  resized(): void;
  addMarker(elementID: string, name: string): void;
  removeMarker(elementID: string, name: string): void;
}
interface Point {
  x: number;
  y: number;
}
interface ElementRegistry {
  get(id: string): { children?: readonly unknown[]; waypoints?: readonly Point[] } | undefined;
}
interface Overlays {
  add(elementID: string, type: string, overlay: { position: object; html: HTMLElement }): string;
  remove(filter: { type: string }): void;
}
interface EventBus {
  on(
    event: string,
    listener: (event: { element: { id: string; type: string; labelTarget?: { id: string } } }) => void,
  ): void;
}

type State = { kind: 'drawing'; drawn: number; all: number } | { kind: 'drawn' } | { kind: 'failed'; reason: string };

const begun: State = { kind: 'drawing', drawn: 0, all: 0 };
const markType = 'perdure';
const flowLabelType = 'flow';
const zoomStep = 1.25;
const smallest = 0.1;
const largest = 4;

export default function BpmnDiagram({ xml, marks, flowLabels, selected, onSelect, label }: DiagramProps) {
  const container = useRef<HTMLDivElement>(null);
  const { viewer, state } = useViewer(container, xml, onSelect);
  useMarks(viewer, state, marks);
  useFlowLabels(viewer, state, flowLabels);
  useSelection(viewer, state, selected);
  return (
    <>
      <div
        ref={container}
        className={classes(styles.canvas, state.kind === 'drawing' && styles.unfinished)}
        role="group"
        aria-label={label}
        hidden={state.kind === 'failed'}
      />
      {state.kind === 'drawing' && state.all > 0 && (
        <div className={styles.progress}>
          <progress aria-label="Drawing the diagram" max={state.all} value={state.drawn} />
        </div>
      )}
      {state.kind === 'failed' && (
        <div data-drawing="none">
          <EmptyState title="This file has no diagram" icon="processes">
            Processes run without a diagram. Use the lists below. ({state.reason})
          </EmptyState>
        </div>
      )}
      {state.kind === 'drawn' && <Controls viewer={viewer} />}
    </>
  );
}

type ViewerRef = RefObject<NavigatedViewer | undefined>;

/** A viewer in the container, with the file drawn in it. Another file gets another viewer. */
function useViewer(
  container: RefObject<HTMLDivElement | null>,
  xml: string,
  onSelect: DiagramProps['onSelect'],
): { viewer: ViewerRef; state: State } {
  const viewer = useRef<NavigatedViewer>(undefined);
  const select = useRef(onSelect);
  const [state, setState] = useState<State>(begun);
  useEffect(() => {
    select.current = onSelect;
  });
  useEffect(() => {
    let isCurrent = true;
    const created = createViewer(container.current!);
    viewer.current = created;
    created.get<EventBus>('eventBus').on('element.click', ({ element }) => select.current?.(nodeOf(element)));
    setState(begun);
    const drawing = drawInSlices(created);
    created
      .importXML(xml)
      .then(() =>
        drawing.finish(
          () => isCurrent,
          (drawn, all) => setState({ kind: 'drawing', drawn, all }),
        ),
      )
      .then(
        (isDrawn) => {
          if (!isDrawn) return;
          showAll(created);
          setState({ kind: 'drawn' });
        },
        (error: unknown) => isCurrent && setState({ kind: 'failed', reason: sentenceOf(error) }),
      );
    return () => {
      isCurrent = false;
      created.destroy();
    };
  }, [container, xml]);
  return { viewer, state };
}

function useMarks(viewer: ViewerRef, state: State, marks: DiagramProps['marks']): void {
  useEffect(() => {
    if (state.kind !== 'drawn' || !marks) return;
    drawMarks(viewer.current!, marks);
    return addLooks(
      viewer.current!,
      [...marks].flatMap(([nodeID, mark]) => looksOf(mark).map((look) => [nodeID, look] as const)),
    );
  }, [viewer, state, marks]);
}

function useFlowLabels(viewer: ViewerRef, state: State, flowLabels: DiagramProps['flowLabels']): void {
  useEffect(() => {
    if (state.kind === 'drawn' && flowLabels) drawFlowLabels(viewer.current!, flowLabels);
  }, [viewer, state, flowLabels]);
}

function useSelection(viewer: ViewerRef, state: State, selected: DiagramProps['selected']): void {
  useEffect(() => {
    if (state.kind !== 'drawn' || !selected) return;
    return addLooks(
      viewer.current!,
      selected.map((nodeID) => [nodeID, styles.selected!]),
    );
  }, [viewer, state, selected]);
}

function Controls({ viewer }: { viewer: ViewerRef }) {
  const zoom = (factor: number) => {
    const canvas = viewer.current!.get<Canvas>('canvas');
    canvas.zoom(Math.min(largest, Math.max(smallest, canvas.zoom() * factor)), 'auto');
  };
  return (
    <div className={styles.controls} role="group" aria-label="Diagram">
      <IconButton icon="plus" label="Zoom in" onClick={() => zoom(zoomStep)} />
      <IconButton icon="minus" label="Zoom out" onClick={() => zoom(1 / zoomStep)} />
      <IconButton icon="fit" label="Show the whole diagram" onClick={() => showAll(viewer.current!)} />
    </div>
  );
}

function createViewer(container: HTMLElement): NavigatedViewer {
  const options = {
    container,
    bpmnRenderer: {
      defaultFillColor: 'var(--surface)',
      defaultStrokeColor: 'var(--ink)',
      defaultLabelColor: 'var(--ink)',
    },
    // The wheel scrolls the page; zooming has buttons.
    zoomScroll: { enabled: false },
  };
  return new NavigatedViewer(options);
}

/** Zooms a little further out than the diagram needs, so that marks at its edge are visible. */
function showAll(viewer: NavigatedViewer): void {
  const canvas = viewer.get<Canvas>('canvas');
  // The viewer measured the canvas after reading the file, before most elements were drawn.
  canvas.resized();
  const level = canvas.zoom('fit-viewport', 'auto');
  canvas.zoom(level * 0.94, 'auto');
}

function drawMarks(viewer: NavigatedViewer, marks: ReadonlyMap<string, NodeMarks>): void {
  const overlays = viewer.get<Overlays>('overlays');
  const registry = viewer.get<ElementRegistry>('elementRegistry');
  overlays.remove({ type: markType });
  for (const [nodeID, mark] of marks) {
    if (registry.get(nodeID) === undefined) continue;
    if (mark.tokens > 0)
      overlays.add(nodeID, markType, {
        position: { bottom: 11, left: -11 },
        html: drawMark(mark.isPaused ? 'paused' : 'token', mark.tokens),
      });
    if (mark.instances)
      overlays.add(nodeID, markType, {
        position: { bottom: 11, left: -11 },
        html: drawMark('instance', mark.instances),
      });
    if (mark.label)
      overlays.add(nodeID, markType, { position: { bottom: 11, left: -11 }, html: drawLabel(mark.label) });
    if (mark.late)
      overlays.add(nodeID, markType, { position: { top: -11, right: 11 }, html: drawMark('late', mark.late) });
    if (mark.incidents > 0)
      overlays.add(nodeID, markType, { position: { top: -11, right: 11 }, html: drawMark('incident', mark.incidents) });
    if (mark.errors)
      overlays.add(nodeID, markType, { position: { top: -11, right: 11 }, html: drawMark('error', mark.errors) });
    if (mark.warnings)
      overlays.add(nodeID, markType, { position: { top: -11, left: -11 }, html: drawMark('warning', mark.warnings) });
  }
}

function drawFlowLabels(viewer: NavigatedViewer, labels: ReadonlyMap<string, FlowLabel>): void {
  const overlays = viewer.get<Overlays>('overlays');
  const registry = viewer.get<ElementRegistry>('elementRegistry');
  overlays.remove({ type: flowLabelType });
  for (const [flowID, { text, title }] of labels) {
    const { waypoints } = registry.get(flowID) ?? {};
    if (waypoints === undefined) continue;
    const html = drawLabel({ text, title, tone: 'plain' });
    html.classList.add(styles.onFlow!);
    overlays.add(flowID, flowLabelType, { position: placeOn(waypoints), html });
  }
}

/** The middle of the longest segment, from the corner of the box around the flow. */
function placeOn(waypoints: readonly Point[]): { left: number; top: number } {
  const segments = waypoints.slice(1).map((to, index) => ({ from: waypoints[index]!, to }));
  const length = ({ from, to }: { from: Point; to: Point }) => Math.hypot(to.x - from.x, to.y - from.y);
  const { from, to } = segments.toSorted((one, other) => length(other) - length(one))[0]!;
  const left = (from.x + to.x) / 2 - Math.min(...waypoints.map(({ x }) => x));
  const top = (from.y + to.y) / 2 - Math.min(...waypoints.map(({ y }) => y));
  return { left, top };
}

function looksOf({ heat, incidents, isPaused, errors, warnings }: NodeMarks): string[] {
  // With many instances per node, their number matters more than one failure.
  if (heat !== undefined) return [styles.hot!, heatLooks[heat]];
  return [incidents > 0 || errors ? styles.failing! : isPaused || warnings ? styles.held! : styles.active!];
}

/** Adds CSS classes to nodes, except those that the file does not have. Returns a function that removes them. */
function addLooks(viewer: NavigatedViewer, looks: readonly (readonly [nodeID: string, look: string])[]): () => void {
  const canvas = viewer.get<Canvas>('canvas');
  const registry = viewer.get<ElementRegistry>('elementRegistry');
  const known = looks.flatMap(([nodeID, look]) => {
    const element = registry.get(nodeID);
    if (element === undefined) return [];
    const holdsOthers = (element.children?.length ?? 0) > 0;
    return holdsOthers ? [[nodeID, look] as const, [nodeID, styles.scope!] as const] : [[nodeID, look] as const];
  });
  for (const [nodeID, look] of known) canvas.addMarker(nodeID, look);
  return () => {
    // A destroyed diagram has no nodes.
    for (const [nodeID, look] of known) if (registry.get(nodeID) !== undefined) canvas.removeMarker(nodeID, look);
  };
}

/** Types of elements that are not nodes. */
const otherTypes = new Set([
  'Process',
  'Collaboration',
  'Participant',
  'Lane',
  'SequenceFlow',
  'MessageFlow',
  'Association',
  'TextAnnotation',
  'Group',
  'DataObjectReference',
  'DataStoreReference',
]);

/** The node of a clicked element: that of a label, or undefined for anything that is not a node. */
function nodeOf({
  id,
  type,
  labelTarget,
}: {
  id: string;
  type: string;
  labelTarget?: { id: string };
}): string | undefined {
  return otherTypes.has(type.replace('bpmn:', '')) ? undefined : (labelTarget?.id ?? id);
}
