/** The files of a bundle, their problems, and the files that are not part of it. */
import type { Schemas } from '../../../frame/api/client.js';
import { Badge } from '../../../components/values/badge.js';
import { Button } from '../../../components/basics/button.js';
import { Table, type Column } from '../../../components/tables/table.js';
import type { Bundle, BundleFile, FileProblem } from './bundle.js';
import { TemplateIDs } from '../../../features/templates/template-ids.js';
import { SeverityBadge } from '../severity-badge.js';
import styles from './bundle.module.css';

type Deployment = Schemas['BpmnDeployment'];
type Row = BundleFile & { deployed?: Deployment['files'][number] | undefined; problems: readonly FileProblem[] };

interface BundleFilesProps {
  bundle: Bundle;
  outcome: Deployment | undefined;
  problems: readonly FileProblem[];
  onShow(file: BundleFile): void;
}

export function BundleFiles({ bundle: { files }, outcome, problems, onShow }: BundleFilesProps) {
  const rows = files.map((file): Row => ({
    ...file,
    deployed: outcome?.files.find(({ name }) => name === file.name),
    problems: problems.filter((problem) => problem.file === file.name),
  }));
  const columns: readonly Column<Row>[] = [
    { title: 'File', cell: ({ name }) => <span className={styles.name}>{name}</span> },
    { title: 'Status', width: '9rem', cell: (row) => <Status {...row} /> },
    { title: 'Contains', width: '18rem', cell: ({ deployed }) => deployed && <Contents file={deployed} /> },
    { title: 'Problems', width: '9rem', cell: ({ problems: own }) => countsOf(own) },
    {
      title: 'Content',
      width: '7rem',
      cell: (row) =>
        row.content !== '' && (
          <Button kind="quiet" title={`Preview ${row.name}`} onClick={() => onShow(row)}>
            Preview
          </Button>
        ),
    },
  ];
  return <Table label="Files to deploy" columns={columns} rows={rows} rowKey={({ name }) => name} />;
}

function Status({ deployed, problems }: Row) {
  if (problems.some(({ severity }) => severity === 'error'))
    return (
      <Badge tone="red" icon="alert">
        Refused
      </Badge>
    );
  if (deployed === undefined) return <Badge tone="grey">Not deployed</Badge>;
  return deployed.state === 'CREATED' ? (
    <Badge tone="green" icon="plus">
      New
    </Badge>
  ) : (
    <Badge tone="grey" icon="check">
      Unchanged
    </Badge>
  );
}

function Contents({ file }: { file: Deployment['files'][number] }) {
  const { processes, definitionID, formID, templateIDs, version } = file;
  if (templateIDs !== undefined) return <TemplateIDs ids={templateIDs} />;
  const contents = processes?.map((one) => ({ id: one.processID, version: one.version })) ?? [
    { id: formID ?? definitionID, version },
  ];
  return contents.map(({ id, version: number }, index) => (
    <span key={index} className={styles.content}>
      {id ? <code>{id}</code> : 'Decisions'} version {number}
    </span>
  ));
}

function countsOf(problems: readonly FileProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  return [
    ...(errors > 0 ? [`${errors} ${errors === 1 ? 'error' : 'errors'}`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
  ].join(', ');
}

type NumberedProblem = FileProblem & { number: number };

const problemColumns: readonly Column<NumberedProblem>[] = [
  { title: 'Severity', width: '8rem', cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  {
    // In one cell, so that a narrow window shows both.
    title: 'Problem',
    cell: (problem) => (
      <span className={styles.name}>
        {problem.message}
        <Place {...problem} />
      </span>
    ),
  },
];

function Place({ elementID, line, column = 1 }: FileProblem) {
  if (elementID === undefined && line === undefined) return null;
  return (
    <span className={styles.place}>
      {line !== undefined && (
        <span>
          Line {line}, column {column}
        </span>
      )}
      {elementID && <code>{elementID}</code>}
    </span>
  );
}

/** By file. Lines and columns count from 1. */
export function BundleProblems({ problems }: { problems: readonly FileProblem[] }) {
  const rows = problems.map((problem, number) => ({ ...problem, number }));
  return (
    <Table
      label="Problems"
      columns={problemColumns}
      rows={rows}
      rowKey={({ number }) => String(number)}
      groupOf={({ file }) => file}
    />
  );
}

/** More names would be no help. */
const MAX_NAMES = 50;

export function PassedOver({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <details className={styles.passedOver}>
      <summary>
        {names.length === 1 ? '1 other file is' : `${names.length.toLocaleString('en')} other files are`} skipped
      </summary>
      <ul>
        {names.slice(0, MAX_NAMES).map((name, index) => (
          <li key={index}>{name}</li>
        ))}
        {names.length > MAX_NAMES && <li>and {(names.length - MAX_NAMES).toLocaleString('en')} more</li>}
      </ul>
    </details>
  );
}
