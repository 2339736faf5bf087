/** One of two runs: its diagram as of a step, and where it is as text. */
import { useMemo, type ReactNode } from 'react';
import { EmptyState } from '../../components/feedback/states.js';
import { toMillisecond } from '../../components/values/format-time.js';
import { Diagram } from '../diagram/diagram.js';
import { DiagramRoom } from '../diagram/diagram-room.js';
import type { Schemas } from '../../frame/api/client.js';
import styles from './run-side.module.css';
import { activeNodes, nodeMarks, takenFlows } from './run-steps.js';

interface RunSideProps {
  title: string;
  /** The accessible name of the diagram. */
  label: string;
  run: Schemas['BpmnBacktestRun'];
  /** How many visits have begun. */
  begun: number;
  /** The color of flows that only this run took. */
  change: 'more' | 'less';
  xml: string | undefined;
  first: Schemas['BpmnBacktestItem']['first'];
  nameOf(nodeID: string): string;
  link?: ReactNode;
}

export function RunSide({ title, label, run, begun, change, xml, first, nameOf, link }: RunSideProps) {
  const { visits, truncated } = run;
  const marks = useMemo(() => nodeMarks(visits, begun, first), [visits, begun, first]);
  const flows = useMemo(() => takenFlows(visits, begun, change), [visits, begun, change]);
  const active = [...activeNodes(visits, begun)].map(([nodeID, tokens]) =>
    tokens > 1 ? `${nameOf(nodeID)} ×${tokens.toLocaleString('en')}` : nameOf(nodeID),
  );
  const now = visits[begun - 1]?.at;
  return (
    <section className={styles.side} aria-label={title}>
      <header className={styles.sideHeader}>
        <h2>{title}</h2>
        {link}
      </header>
      <DiagramRoom>
        {xml === undefined ? (
          <EmptyState title="No diagram" icon="processes">
            The file is not here anymore. The line below says where the run is.
          </EmptyState>
        ) : (
          <Diagram xml={xml} marks={marks} flowLabels={flows} label={label} />
        )}
      </DiagramRoom>
      <p className={styles.where} aria-live="polite">
        {active.length > 0 ? `At ${active.join(', ')}` : 'Before the start'}
        {now !== undefined && <span> · {toMillisecond(new Date(now))}</span>}
        {begun === visits.length && truncated && ' · The run continues. Only its beginning is shown.'}
      </p>
    </section>
  );
}
