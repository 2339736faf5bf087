/** Converts a file of another engine, and shows what the conversion reports. */
import { useMutation } from '@tanstack/react-query';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Badge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { Table } from '../../components/tables/table.js';
import type { Column } from '../../components/tables/table.js';
import { useProject } from '../../frame/project/project.js';
import styles from './deploy.module.css';
import type { ModelFile } from './read-file.js';

type Finding = Schemas['BpmnConversionFinding'];

/** A file with the report of its conversion. */
export interface ConvertedFile extends ModelFile {
  findings: readonly Finding[];
}

const OTHER_ENGINES =
  /camunda\.org\/schema\/1\.0\/bpmn|operaton\.org\/schema|activiti\.org\/bpmn|flowable\.org\/bpmn|[$#]\{/;

/** Whether a file has extensions or expressions of another engine. */
export function isForeign(xml: string): boolean {
  return OTHER_ENGINES.test(xml);
}

export function ConvertOffer({ file, onConverted }: { file: ModelFile; onConverted(file: ConvertedFile): void }) {
  const { id: projectID } = useProject();
  const convert = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/convert', { params: { path: { projectID } }, body: { xml: file.xml } }),
      ),
    onSuccess: ({ xml, findings }) => onConverted({ name: file.name, xml, findings }),
  });
  return (
    <p className={styles.convert}>
      The file has extensions of another engine, such as Camunda 7 or Flowable.
      <Button icon="edit" isBusy={convert.isPending} onClick={() => convert.mutate()}>
        Convert it
      </Button>
      <Refusal error={convert.error} />
    </p>
  );
}

const badges = {
  converted: { tone: 'green', icon: 'check', label: 'Converted' },
  review: { tone: 'amber', icon: 'alert', label: 'Review' },
  unsupported: { tone: 'red', icon: 'alert', label: 'No equivalent' },
} as const;

type NumberedFinding = Finding & { number: number };

const columns: readonly Column<NumberedFinding>[] = [
  {
    title: 'Outcome',
    width: '9rem',
    cell: ({ outcome }) => (
      <Badge tone={badges[outcome].tone} icon={badges[outcome].icon}>
        {badges[outcome].label}
      </Badge>
    ),
  },
  { title: 'Line', width: '5rem', isNumber: true, cell: ({ line }) => line },
  { title: 'Element', width: '12rem', cell: ({ elementID }) => elementID && <code>{elementID}</code> },
  { title: 'Finding', cell: ({ message }) => <span className={styles.message}>{message}</span> },
];

/** Lines are those of the file before its conversion. */
export function ConversionReport({ file: { name, findings } }: { file: ConvertedFile }) {
  return (
    <Card title={`Conversion of ${name}`}>
      {findings.length === 0 ? (
        <p>Everything in the file has an equivalent.</p>
      ) : (
        <Table
          label="Findings of the conversion"
          columns={columns}
          rows={findings.map((finding, number) => ({ ...finding, number }))}
          rowKey={({ number }) => String(number)}
        />
      )}
    </Card>
  );
}
