/** Where connectors run the work of a job on Temporal: a link to Temporal's UI if the host knows it, otherwise the ids. */
import { useQuery } from '@tanstack/react-query';
import { readConfiguration } from '../frame/access/configuration.js';
import type { Schemas } from '../frame/api/client.js';

type Execution = NonNullable<Schemas['ExternalJob']['execution']>;

export function ExecutionLink({ execution }: { execution: Execution }) {
  const { data } = useQuery({ queryKey: ['configuration'], queryFn: readConfiguration, staleTime: Infinity });
  const id = <code>{execution.workflowID}</code>;
  if (data?.temporalUI === undefined) return id;
  return (
    <a href={executionUrl(data.temporalUI, execution)} target="_blank" rel="noreferrer">
      {id}
    </a>
  );
}

export function executionUrl(temporalUI: string, { namespace, workflowID, runID }: Execution): string {
  const path = ['namespaces', namespace, 'workflows', workflowID, runID, 'history'];
  return `${temporalUI}/${path.map(encodeURIComponent).join('/')}`;
}
