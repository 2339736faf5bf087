import 'bpmn-js/dist/assets/diagram-js.css';
import 'bpmn-js/dist/assets/bpmn-js.css';
import NavigatedViewer from 'bpmn-js/lib/NavigatedViewer';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { readableText } from '@perdure/xml/readable-text.js';
import { IconButton } from '../../components/basics/button.js';
import { classes } from '../../components/basics/classes.js';
import { EmptyState, sentenceOf } from '../../components/feedback/states.js';
import type { DiagramProps } from './diagram.js';
import styles from './diagram.module.css';
import { drawInSlices } from './draw-in-slices.js';
import { heatLooks } from './heat-looks.js';
import { diagramFont, loadFont } from './labels/font.js';
import { wholeWordsModule } from './labels/text-renderer.js';
import { createMarks, type Marks } from './marks/marks.js';
import type { FlowLabel, NodeMarks } from './node-marks.js';

/** The part of the viewer's services that this file uses. */
interface Canvas {
  zoom(level?: number | 'fit-viewport', center?: 'auto'): number;
  viewbox(): { x: number; y: number; scale: number };
  /** Invalidates the cached viewport size. */
  resized(): void;
  addMarker(elementID: string, name: string): void;
  removeMarker(elementID: string, name: string): void;
}
interface ElementRegistry {
  get(id: string): { children?: readonly unknown[] } | undefined;
}
interface EventBus {
  on(
    event: string,
    listener: (event: { element: { id: string; type: string; labelTarget?: { id: string } } }) => void,
  ): void;
}

type State =
  { kind: 'drawing'; drawn: number; all: number } | { kind: 'drawn' } | { kind: 'failed'; reason: string | undefined };

const begun: State = { kind: 'drawing', drawn: 0, all: 0 };
const zoomStep = 1.25;
const smallest = 0.1;
const largest = 4;

export default function BpmnDiagram(props: DiagramProps) {
  const { xml, selected, onSelect, label } = props;
  const container = useRef<HTMLDivElement>(null);
  const { viewer, state } = useViewer(container, xml, onSelect);
  useMarks(viewer, state, props);
  useSelection(viewer, state, selected);
  useFit(container, viewer, state);
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
            A process runs without one.{state.reason !== undefined && ` The viewer says: ${state.reason}`}
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
    const draw = async () => {
      await loadFont(xml);
      if (!isCurrent) return;
      await created.importXML(readableText(xml));
      const isDrawn = await drawing.finish(
        () => isCurrent,
        (drawn, all) => setState({ kind: 'drawing', drawn, all }),
      );
      if (!isDrawn) return;
      showAll(created);
      setState({ kind: 'drawn' });
    };
    draw().catch((error: unknown) => isCurrent && setState({ kind: 'failed', reason: reasonOf(error) }));
    return () => {
      isCurrent = false;
      created.destroy();
    };
  }, [container, xml]);
  return { viewer, state };
}

/** The viewer has no other sign of a file without a drawing. */
function reasonOf(error: unknown): string | undefined {
  const reason = sentenceOf(error);
  return reason === 'no diagram to display' ? undefined : reason;
}

function useMarks(viewer: ViewerRef, state: State, { marks, flowLabels }: DiagramProps): void {
  const drawn = useRef<Marks>(undefined);
  useEffect(() => {
    if (state.kind === 'drawn') drawn.current = createMarks(viewer.current!);
  }, [viewer, state]);
  useEffect(() => {
    if (state.kind === 'drawn') drawn.current!.draw(marks, flowLabels);
  }, [state, marks, flowLabels]);
  useEffect(() => {
    if (state.kind !== 'drawn' || !marks) return;
    return addLooks(
      viewer.current!,
      [...marks].flatMap(([nodeID, mark]) => looksOf(mark).map((look) => [nodeID, look] as const)),
    );
  }, [viewer, state, marks]);
  useEffect(() => {
    if (state.kind !== 'drawn' || !flowLabels) return;
    return addLooks(
      viewer.current!,
      [...flowLabels].flatMap(([flowID, label]) => looksOfFlow(label).map((look) => [flowID, look] as const)),
    );
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

/** The whole diagram fits its place again when that has another width, unless the user has moved it. */
function useFit(container: RefObject<HTMLDivElement | null>, viewer: ViewerRef, state: State): void {
  useEffect(() => {
    if (state.kind !== 'drawn') return;
    const canvas = viewer.current!.get<Canvas>('canvas');
    const element = container.current!;
    let width = element.clientWidth;
    let shown = placeOf(canvas);
    const observer = new ResizeObserver(() => {
      const { clientWidth } = element;
      if (clientWidth === width || clientWidth === 0) return;
      width = clientWidth;
      if (placeOf(canvas) !== shown) return;
      showAll(viewer.current!);
      shown = placeOf(canvas);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [container, viewer, state]);
}

/** Changes with zoom and scroll, and not with the size of the canvas. */
function placeOf(canvas: Canvas): string {
  const { x, y, scale } = canvas.viewbox();
  return [x, y, scale].join(' ');
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
    textRenderer: { defaultStyle: { fontFamily: diagramFont } },
    // The wheel scrolls the page; zooming has buttons.
    zoomScroll: { enabled: false },
    additionalModules: [wholeWordsModule],
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

function looksOf({ heat, incidents, isPaused, errors, warnings }: NodeMarks): string[] {
  // With many instances per node, their number matters more than one failure.
  if (heat !== undefined) return [styles.hot!, heatLooks[heat]];
  return [incidents > 0 || errors ? styles.failing! : isPaused || warnings ? styles.held! : styles.active!];
}

const weights = { 1: styles.thin!, 2: styles.medium!, 3: styles.thick!, 4: styles.thickest! };
const changes = { more: styles.more!, less: styles.less! };

function looksOfFlow({ weight, change }: FlowLabel): string[] {
  return [...(weight === undefined ? [] : [weights[weight]]), ...(change === undefined ? [] : [changes[change]])];
}

/** Adds CSS classes to elements, except those that the file does not have. Returns a function that removes them. */
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
