import { useInstance } from '../use-instance.js';
import styles from './node-name.module.css';

/** The name of a node in the model, and its id if it is different. */
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
