import { Link } from 'react-router';
import type { Schemas } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';
import styles from './forms.module.css';

const MAX_SHOWN = 5;

/** The processes whose newest version uses the form, with the ids of their nodes as a tooltip. */
export function UsesOfForm({ uses }: { uses: Schemas['BpmnListedForm']['usedBy'] }) {
  const { id: projectID } = useProject();
  if (uses.length === 0) return <span className={styles.unused}>No process</span>;
  const nodesOf = new Map<string, string[]>();
  for (const { processID, nodeID } of uses) nodesOf.set(processID, [...(nodesOf.get(processID) ?? []), nodeID]);
  const processes = [...nodesOf];
  return (
    <span className={styles.uses}>
      {processes.slice(0, MAX_SHOWN).map(([processID, nodes]) => (
        <Link
          key={processID}
          className={styles.text}
          to={`/projects/${encodeURIComponent(projectID)}/processes/${encodeURIComponent(processID)}`}
          title={nodes.join(', ')}
        >
          {processID}
          {nodes.length > 1 && ` (${nodes.length})`}
        </Link>
      ))}
      {processes.length > MAX_SHOWN && <span>and {processes.length - MAX_SHOWN} more</span>}
    </span>
  );
}
