/** The position of a task in its process. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Card } from '../../../components/basics/card.js';
import { ErrorState, Loading } from '../../../components/feedback/states.js';
import { Diagram } from '../../../features/diagram/diagram.js';
import { DiagramRoom } from '../../../features/diagram/diagram-room.js';
import type { Task } from './task-query.js';

export function Position({
  task: { nodeID, processName, processId },
  xml,
}: {
  task: Task;
  xml: UseQueryResult<string>;
}) {
  const selected = useMemo(() => [nodeID], [nodeID]);
  return (
    <Card title="Position">
      <DiagramRoom>
        {xml.data && <Diagram xml={xml.data} selected={selected} label={`Diagram of ${processName ?? processId}`} />}
        {xml.isPending && <Loading lines={3} label="Loading the diagram" />}
        {xml.isError && <ErrorState error={xml.error} retry={() => void xml.refetch()} />}
      </DiagramRoom>
    </Card>
  );
}
