/** The recorded run next to a play that begins at its first difference. */
import { Identifier } from '../../components/values/identifier.js';
import { useDefinitionXml, useModel } from '../diagram/use-definition.js';
import type { Difference } from './difference.js';
import { RunSide } from './run-side.js';
import { useInstanceDefinition } from './use-instance-definition.js';

interface RecordedRunProps {
  difference: Difference;
  /** The position of the play; the last one that it began with after that. */
  at: number;
}

export function RecordedRun({ difference: { item, recorded, begun }, at }: RecordedRunProps) {
  const { workflowID } = item;
  const { data: xml } = useDefinitionXml(useInstanceDefinition(workflowID));
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
