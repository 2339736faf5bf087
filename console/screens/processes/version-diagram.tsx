/** The diagram of a version with marks on its nodes, and a legend of their colors. */
import type { ReactNode } from 'react';
import type { Schemas } from '../../frame/api/client.js';
import { Card } from '../../components/basics/card.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import { Diagram } from '../../features/diagram/diagram.js';
import type { FlowLabel, NodeMarks } from '../../features/diagram/node-marks.js';
import { DiagramRoom } from '../../features/diagram/diagram-room.js';
import type { HeatRange } from '../../features/diagram/heat.js';
import { useDefinitionXml } from '../../features/diagram/use-definition.js';
import styles from './nodes.module.css';
import { Swatch } from './swatch.js';

interface VersionDiagramProps {
  version: Schemas['BpmnProcessDefinition'];
  marks: ReadonlyMap<string, NodeMarks>;
  flowLabels?: ReadonlyMap<string, FlowLabel>;
  scale: readonly HeatRange[];
  /** The label of a range of the scale. */
  sayRange(range: HeatRange): string;
  onSelect?(nodeID: string | undefined): void;
  actions?: ReactNode;
}

export function VersionDiagram({
  version: { id, processID, processName, version },
  marks,
  flowLabels,
  scale,
  sayRange,
  onSelect,
  actions,
}: VersionDiagramProps) {
  const xml = useDefinitionXml(id);
  return (
    <Card title={`Version ${version}`} actions={actions}>
      <DiagramRoom>
        {xml.data && (
          <Diagram
            xml={xml.data}
            marks={marks}
            flowLabels={flowLabels}
            onSelect={onSelect}
            label={`Diagram of ${processName || processID}, version ${version}`}
          />
        )}
        {xml.isPending && <Loading lines={3} label="Loading the diagram" />}
        {xml.isError && <ErrorState error={xml.error} retry={() => void xml.refetch()} />}
      </DiagramRoom>
      {scale.length > 0 && (
        <ul className={styles.legend} aria-label="Colors of the diagram">
          {scale.map((range) => (
            <li key={range.step}>
              <Swatch step={range.step} />
              {sayRange(range)}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
