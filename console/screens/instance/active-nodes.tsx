/** The active nodes of the instance as text: the marks of the diagram, and a way to select a node by keyboard. */
import type { ReactNode } from 'react';
import { classes } from '../../components/basics/classes.js';
import { Icon } from '../../components/basics/icon.js';
import type { NodeMarks } from '../../features/diagram/node-marks.js';
import styles from './active-nodes.module.css';
import { useInstance } from './use-instance.js';

const maxShown = 40;

interface ActiveNodesProps {
  marks: ReadonlyMap<string, NodeMarks> | undefined;
  onSelect(nodeID: string | undefined): void;
  /** Shown at the end of the line. */
  children?: ReactNode;
}

export function ActiveNodes({ marks, onSelect, children }: ActiveNodesProps) {
  const { nodeID, nameOf } = useInstance();
  const entries = [...(marks ?? [])];
  return (
    <div className={styles.bar} role="group" aria-label="Active nodes">
      <span className={styles.label}>{entries.length === 0 ? 'No tokens' : 'At'}</span>
      {entries.slice(0, maxShown).map(([id, { tokens, incidents }]) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === nodeID}
          className={classes(styles.node, incidents > 0 && styles.bad)}
          onClick={() => onSelect(id === nodeID ? undefined : id)}
        >
          <Icon name={incidents > 0 ? 'alert' : 'dot'} size={12} />
          {nameOf(id)}
          {tokens > 1 && <span className={styles.count}>×{tokens}</span>}
        </button>
      ))}
      {entries.length > maxShown && <span className={styles.label}>and {entries.length - maxShown} more</span>}
      {nodeID !== undefined && !marks?.has(nodeID) && (
        <button type="button" aria-pressed className={styles.node} onClick={() => onSelect(undefined)}>
          {nameOf(nodeID)}
        </button>
      )}
      <span className={styles.end}>{children}</span>
    </div>
  );
}
