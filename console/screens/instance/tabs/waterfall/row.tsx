/** One element instance of the waterfall, with those inside it and the instance that it called. */
import { useId, useState, type ComponentType } from 'react';
import { classes } from '../../../../components/basics/classes.js';
import { Icon } from '../../../../components/basics/icon.js';
import { IncidentBadge, StatusBadge } from '../../../../components/values/badge.js';
import { formatDuration } from '../../../../components/values/format-duration.js';
import { barOf, placeOf, type Axis, type Bar, type Nested } from './layout.js';
import type { Entry, Incident } from './queries.js';
import styles from './waterfall.module.css';
import { sayBar } from './words.js';

/** The common part of all rows of an instance. */
export interface Chart {
  axis: Axis;
  stops: ReadonlyMap<string, readonly Incident[]>;
  nameOf(nodeID: string): string;
  /** The selected node of the diagram. */
  selected: string | undefined;
  /** A parameter, because a called instance has rows itself. */
  Called: ComponentType<{ workflowID: string; depth: number; axis: Axis }>;
}

interface RowProps {
  nested: Nested<Entry>;
  depth: number;
  chart: Chart;
}

/** Deeper rows would have no room for their names. */
const maxIndent = 6;

export function Row({ nested: { activity, inner }, depth, chart }: RowProps) {
  const { axis, Called } = chart;
  const { elementInstanceID, nodeID, startTime, childWorkflowID } = activity;
  const [isOpen, setIsOpen] = useState(false);
  const calledID = useId();
  const stops = chart.stops.get(elementInstanceID) ?? [];
  const bar = barOf(activity, axis);
  const words = sayBar(activity, bar, axis, stops);
  const isSelected = chart.selected === nodeID;
  return (
    <li aria-current={isSelected || undefined}>
      <div className={classes(styles.row, isSelected && styles.selected)}>
        <span className={styles.name} style={{ paddingInlineStart: `${Math.min(depth, maxIndent) * 16}px` }}>
          {childWorkflowID === undefined ? (
            <Name entry={activity} nameOf={chart.nameOf} />
          ) : (
            <button
              type="button"
              className={styles.toggle}
              aria-expanded={isOpen}
              aria-controls={isOpen ? calledID : undefined}
              onClick={() => setIsOpen(!isOpen)}
            >
              <span className={classes(styles.chevron, isOpen && styles.turned)}>
                <Icon name="chevronDown" size={12} />
              </span>
              <Name entry={activity} nameOf={chart.nameOf} />
              <span className="visually-hidden">, called instance</span>
            </button>
          )}
          <State entry={activity} stops={stops} />
        </span>
        <span className="visually-hidden">{words}</span>
        <Track bar={bar} axis={axis} stops={stops} title={words} />
        <span className={styles.start} aria-hidden="true">
          {`+${formatDuration(Math.max(0, Date.parse(startTime) - axis.startMs))}`}
        </span>
        <span className={styles.length} aria-hidden="true">
          {formatDuration(bar.lengthMs)}
        </span>
      </div>
      {inner.length > 0 && (
        <ol className={styles.rows}>
          {inner.map((one) => (
            <Row key={one.activity.elementInstanceID} nested={one} depth={depth + 1} chart={chart} />
          ))}
        </ol>
      )}
      {isOpen && childWorkflowID !== undefined && (
        <div id={calledID} className={styles.inside}>
          <Called workflowID={childWorkflowID} depth={depth + 1} axis={axis} />
        </div>
      )}
    </li>
  );
}

function Name({ entry: { nodeID, loopCounter }, nameOf }: { entry: Entry; nameOf: Chart['nameOf'] }) {
  const name = nameOf(nodeID);
  return (
    <span className={styles.label}>
      {name !== nodeID && <>{name} </>}
      <code className={styles.id}>{nodeID}</code>
      {loopCounter !== undefined && <span className={styles.id}> iteration {loopCounter}</span>}
    </span>
  );
}

/** Nothing for what is usual: completed, or active without an incident. */
function State({ entry: { status }, stops }: { entry: Entry; stops: readonly Incident[] }) {
  const open = stops.filter(({ resolvedAt }) => resolvedAt === undefined).length;
  return (
    <>
      {(status === 'Failed' || status === 'Canceled') && <StatusBadge status={status} />}
      {open > 0 && <IncidentBadge />}
    </>
  );
}

function Track({
  bar: { segments, isOpen },
  axis,
  stops,
  title,
}: {
  bar: Bar;
  axis: Axis;
  stops: readonly Incident[];
  title: string;
}) {
  return (
    <span className={styles.track} aria-hidden="true" title={title}>
      {segments.map(({ phase, left, width }, index) => (
        <span
          key={phase}
          className={classes(styles.bar, styles[phase], isOpen && index === segments.length - 1 && styles.open)}
          style={{ left: `${left}%`, width: `${width}%` }}
        />
      ))}
      {stops.map(({ incidentID, raisedAt }) => (
        <span
          key={incidentID}
          className={styles.stop}
          style={{ left: `${placeOf(axis, Date.parse(raisedAt), axis.endMs).left}%` }}
        >
          <Icon name="alert" size={12} />
        </span>
      ))}
    </span>
  );
}
