import { useInstance } from '../use-instance.js';
import styles from './node-name.module.css';

/** A node by the name that the model gives it, and its id where that differs. */
export function NodeName({ nodeID, note }: { nodeID: string; note?: string | undefined }) {
  const name = useInstance().nameOf(nodeID);
  return (
    <span className={styles.node}>
      {name === nodeID ? (
        <code>{nodeID}</code>
      ) : (
        <>
          <span>{name}</span> <code className={styles.id}>{nodeID}</code>
        </>
      )}
      {note && <span className={styles.note}>{note}</span>}
    </span>
  );
}
