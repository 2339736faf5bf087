/** A BPMN diagram with marks on its nodes. The viewer is heavy, so it is loaded when the first diagram is shown. */
import { lazy, Suspense, useMemo, useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { EmptyState, Loading } from '../../components/feedback/states.js';
import styles from './diagram.module.css';
import type { FlowLabel, NodeMarks } from './node-marks.js';
import { loadDiagram } from './load-diagram.js';

export interface DiagramProps {
  /** The file. A change redraws the diagram. */
  xml: string;
  /** By the id of the node. A change redraws only the marks. */
  marks?: ReadonlyMap<string, NodeMarks>;
  /** Numbers on sequence flows, by their ids. */
  flowLabels?: ReadonlyMap<string, FlowLabel>;
  /** Highlighted nodes: the selected one, or those of instructions. */
  selected?: readonly string[];
  /** Called with the id of the node that was clicked, or with undefined for the space between them. */
  onSelect?(nodeID: string | undefined): void;
  /** The accessible name of the diagram. */
  label: string;
}

const BpmnDiagram = lazy(loadDiagram);

/** Number of shapes drawn without asking. Drawing more blocks the browser for seconds. */
const drawnAtOnce = 1_500;

/** Fills its parent, which must have a height. */
export function Diagram(props: DiagramProps) {
  const [isWanted, setIsWanted] = useState(false);
  const shapes = useMemo(() => props.xml.match(/BPMNShape\s/g)?.length ?? 0, [props.xml]);
  if (shapes > drawnAtOnce && !isWanted) {
    return (
      <div className={styles.frame}>
        <EmptyState
          title={`A diagram of ${shapes.toLocaleString('en')} shapes`}
          icon="processes"
          action={<Button onClick={() => setIsWanted(true)}>Draw diagram</Button>}
        >
          Drawing it keeps the browser busy for a while. The lists show the same information.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className={styles.frame}>
      <Suspense fallback={<Loading lines={3} label="Loading the diagram" />}>
        <BpmnDiagram {...props} />
      </Suspense>
    </div>
  );
}
