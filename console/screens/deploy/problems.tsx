/** The problems of a file, as a list and as marks on its diagram. */
import type { Schemas } from '../../frame/api/client.js';
import { Badge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Table } from '../../components/tables/table.js';
import type { Column } from '../../components/tables/table.js';
import type { NodeMarks } from '../../features/diagram/node-marks.js';
import styles from './deploy.module.css';
import { SeverityBadge } from './severity-badge.js';

type Issue = Schemas['BpmnValidationIssue'];
type NumberedIssue = Issue & { number: number };

interface ProblemsProps {
  /** Errors first. */
  issues: readonly Issue[];
  nameOf(elementID: string): string;
  /** Called with the element of a problem, if the diagram can show it. */
  onSelect?(elementID: string): void;
}

export function Problems({ issues, nameOf, onSelect }: ProblemsProps) {
  if (issues.length === 0)
    return (
      <p className={styles.sound}>
        <Badge tone="green" icon="check">
          No problems
        </Badge>{' '}
        The file can be deployed.
      </p>
    );
  const columns: readonly Column<NumberedIssue>[] = [
    { title: 'Severity', width: '8rem', cell: ({ severity }) => <SeverityBadge severity={severity} /> },
    {
      title: 'Element',
      width: '16rem',
      cell: ({ elementID }) =>
        elementID &&
        (onSelect ? (
          <Button kind="quiet" title={elementID} onClick={() => onSelect(elementID)}>
            {nameOf(elementID)}
          </Button>
        ) : (
          <span title={elementID}>{nameOf(elementID)}</span>
        )),
    },
    { title: 'Problem', cell: ({ message }) => <span className={styles.message}>{message}</span> },
  ];
  return (
    <Table
      label="Problems"
      columns={columns}
      rows={issues.map((issue, number) => ({ ...issue, number }))}
      rowKey={({ number }) => String(number)}
    />
  );
}

export function marksOf(issues: readonly Issue[]): Map<string, NodeMarks> {
  const marks = new Map<string, NodeMarks>();
  for (const { severity, elementID } of issues) {
    if (elementID === undefined) continue;
    const { errors = 0, warnings = 0 } = marks.get(elementID) ?? {};
    const isError = severity === 'error';
    marks.set(elementID, {
      tokens: 0,
      incidents: 0,
      isPaused: false,
      errors: errors + (isError ? 1 : 0),
      warnings: warnings + (isError ? 0 : 1),
    });
  }
  return marks;
}
