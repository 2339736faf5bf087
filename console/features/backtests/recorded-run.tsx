/** The recorded run next to a play that begins at its first difference. */
import { useQuery } from '@tanstack/react-query';
import { Identifier } from '../../components/values/identifier.js';
import { useDefinitionXml, useModel } from '../diagram/use-definition.js';
import { api, unwrap } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';
import type { Difference } from './difference.js';
import { RunSide } from './run-side.js';

interface RecordedRunProps {
  difference: Difference;
  /** The position of the play; the last one that it began with after that. */
  at: number;
}

export function RecordedRun({ difference: { item, recorded, begun }, at }: RecordedRunProps) {
  const { id: projectID } = useProject();
  const { workflowID } = item;
  const { data } = useQuery({
    queryKey: [projectID, 'instance', workflowID, 'of a backtest'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/instances/{workflowID}', {
          params: { path: { projectID, workflowID } },
          signal,
        }),
      ),
    staleTime: Infinity,
  });
  const { data: xml } = useDefinitionXml(data?.definitionID);
  const { names } = useModel(xml);
  return (
    <RunSide
      title="Recorded"
      label="Diagram of the recorded run"
      run={recorded}
      begun={begun[at] ?? 0}
      change="less"
      xml={xml}
      first={item.first}
      nameOf={(nodeID) => names.get(nodeID) ?? nodeID}
      link={<Identifier value={workflowID} longest={30} />}
    />
  );
}
