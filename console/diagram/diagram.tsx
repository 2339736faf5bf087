/** A BPMN diagram with marks on its nodes. The viewer is heavy, so it is loaded when the first diagram is shown. */
import { lazy, Suspense } from 'react';
import { Loading } from '../components/states.js';
import styles from './diagram.module.css';

/** What stands at one node. */
export interface NodeMarks {
  /** How many tokens; 0 shows none. */
  tokens: number;
  incidents: number;
  isPaused: boolean;
}

export interface DiagramProps {
  /** The file; another text draws another diagram. */
  xml: string;
  /** By the id of the node. Changing them moves nothing but the marks. */
  marks?: ReadonlyMap<string, NodeMarks>;
  /** The nodes that stand out: the chosen one, or those that an instruction is about. */
  selected?: readonly string[];
  /** Called with the id of the node that was clicked, or with undefined for the space between them. */
  onSelect?(nodeID: string | undefined): void;
  /** What the diagram shows, for those who do not see it. */
  label: string;
}

/** Fetches the viewer before the first diagram is shown. */
export const loadDiagram = () => import('./bpmn-diagram.js');

const BpmnDiagram = lazy(loadDiagram);

/** Fills its parent, which has to have a height. */
export function Diagram(props: DiagramProps) {
  return (
    <div className={styles.frame}>
      <Suspense fallback={<Loading lines={3} label="Loading the diagram" />}><BpmnDiagram {...props} /></Suspense>
    </div>
  );
}
