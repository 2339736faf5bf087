/** The subjects that an entry of the audit log names. */
import { Link } from 'react-router';
import { Identifier } from '../../components/values/identifier.js';
import type { Schemas } from '../../frame/api/client.js';

export type Entry = Schemas['AuditEntry'];

const ways = {
  BATCH: 'by a batch',
  MCP: 'by MCP',
  NEXUS: 'by Nexus',
  HOOK: 'by a hook',
  SCHEDULE: 'on schedule',
  REST: undefined,
} as const;

export function actorOf({ actor, actorType, via }: Entry): string {
  const remarks = [actorType === 'SERVICE' ? 'service' : undefined, ways[via]].filter(Boolean);
  return remarks.length === 0 ? actor : `${actor} (${remarks.join(', ')})`;
}

/** The most specific subject of the entry, with a link if it has a page. */
export function Subject({ entry }: { entry: Entry }) {
  const { workflowID, batchID } = entry;
  const { subject, hookID, subscriptionID, publicationID, definitionID, resourceID, deploymentID } = entry;
  const ofInstance = workflowID ?? batchID ?? subject ?? publicationID;
  const id = ofInstance ?? hookID ?? subscriptionID ?? definitionID ?? resourceID ?? deploymentID;
  if (id === undefined) return 'the project';
  const page = workflowID !== undefined ? instancePage(id) : id === batchID ? batchPage(id) : undefined;
  return <Linked id={id} to={page} longest={24} />;
}

export const instancePage = (workflowID: string) => `../instances/${encodeURIComponent(workflowID)}`;
export const batchPage = (batchID: string) => `../batches/${batchID}`;

/** An id, with a link if it has a page. */
export function Linked({ id, to, longest }: { id: string; to?: string | undefined; longest?: number }) {
  return (
    <Identifier
      value={id}
      {...(longest !== undefined && { longest })}
      {...(to !== undefined && { wrap: (text) => <Link to={to}>{text}</Link> })}
    />
  );
}
