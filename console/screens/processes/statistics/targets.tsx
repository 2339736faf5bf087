/** The duration targets of a process, and the share of instances of this version that met them. */
import { useState } from 'react';
import type { Schemas } from '../../../frame/api/client.js';
import { OverTargetBadge } from '../../../components/values/badge.js';
import { Button } from '../../../components/basics/button.js';
import { Card } from '../../../components/basics/card.js';
import { ErrorState } from '../../../components/feedback/states.js';
import { Table, type Column } from '../../../components/tables/table.js';
import { useDefinitionXml, useModel } from '../../../features/diagram/use-definition.js';
import { durationMs, sayDuration } from '../../../features/statistics/duration.js';
import { useTargets } from '../../../features/statistics/queries.js';
import { startedIn } from '../../../features/statistics/range.js';
import type { ProcessStatistics, TargetStatistics } from '../../../features/statistics/types.js';
import { Allowed } from '../../../frame/project/project.js';
import { CountLink } from './count-link.js';
import styles from '../nodes.module.css';
import { TargetsDialog } from './targets-dialog.js';

type Version = Schemas['BpmnProcessDefinition'];

export function Targets({ version, statistics }: { version: Version; statistics: ProcessStatistics }) {
  const targets = useTargets(version.processID);
  const { names } = useModel(useDefinitionXml(version.id).data);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card
      title="Duration targets"
      actions={
        targets.data && (
          <Allowed role="editor">
            <Button icon="edit" onClick={() => setIsOpen(true)}>
              Change the targets
            </Button>
          </Allowed>
        )
      }
    >
      {targets.isError && <ErrorState error={targets.error} retry={() => void targets.refetch()} />}
      {statistics.targets.length === 0 ? (
        <p className={styles.note}>
          No targets. A target says how long an instance, or a node, should take at most; those that take longer are
          marked.
        </p>
      ) : (
        <Table
          label="Duration targets"
          columns={columnsFor(version, statistics, names)}
          rows={statistics.targets}
          rowKey={({ nodeID, duration }) => JSON.stringify([nodeID, duration])}
        />
      )}
      {isOpen && targets.data && (
        <TargetsDialog version={version} targets={targets.data.targets} onClose={() => setIsOpen(false)} />
      )}
    </Card>
  );
}

function columnsFor(
  { id: definitionID }: Version,
  statistics: ProcessStatistics,
  names: ReadonlyMap<string, string>,
): Column<TargetStatistics>[] {
  return [
    {
      title: 'For',
      cell: ({ nodeID }) => (nodeID === undefined ? 'The whole instance' : (names.get(nodeID) ?? nodeID)),
    },
    { title: 'At most', width: '9rem', isNumber: true, cell: ({ duration }) => sayDuration(duration) },
    { title: 'Met', width: '8rem', isNumber: true, cell: ({ met }) => met.toLocaleString('en') },
    {
      title: 'Missed',
      width: '12rem',
      isNumber: true,
      cell: ({ nodeID, duration, missed }) => (
        <>
          {missed > 0 && <OverTargetBadge />}{' '}
          {nodeID === undefined ? (
            <CountLink
              count={missed}
              list="instances"
              filter={{ definitionID, overTarget: 'true', ...dueIn(statistics, duration) }}
            />
          ) : (
            missed.toLocaleString('en')
          )}
        </>
      ),
    },
  ];
}

/** A miss counts at the time when the target was due. */
function dueIn({ since, until }: ProcessStatistics, duration: string): Record<string, string> {
  const length = durationMs(duration) ?? 0;
  return startedIn(Date.parse(since) - length, Date.parse(until) - length);
}
