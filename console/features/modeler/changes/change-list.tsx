import { Button } from '../../../components/basics/button.js';
import { Table, type Column } from '../../../components/tables/table.js';
import { Badge } from '../../../components/values/badge.js';
import type { Change, ChangeKind } from './changes.js';
import styles from './change-list.module.css';

const badges = {
  added: { tone: 'green', icon: 'plus', label: 'Added' },
  removed: { tone: 'red', icon: 'minus', label: 'Removed' },
  changed: { tone: 'amber', icon: 'edit', label: 'Changed' },
  moved: { tone: 'blue', icon: 'arrowRight', label: 'Moved' },
} as const satisfies Record<ChangeKind, object>;

/** More rows would be no help, and slow. */
const MAX_ROWS = 500;

interface ChangeListProps {
  changes: readonly Change[];
  /** Called with the id of an element. */
  onSelect(elementID: string): void;
}

export function ChangeList({ changes, onSelect }: ChangeListProps) {
  if (changes.length === 0) return <p className={styles.none}>No differences.</p>;
  const columns: readonly Column<Change>[] = [
    {
      title: 'Change',
      width: '8rem',
      cell: ({ kind }) => (
        <Badge tone={badges[kind].tone} icon={badges[kind].icon}>
          {badges[kind].label}
        </Badge>
      ),
    },
    {
      title: 'Element',
      cell: ({ id, name }) => (
        <Button kind="quiet" title={id} onClick={() => onSelect(id)}>
          {name ?? id}
        </Button>
      ),
    },
    { title: 'Type', width: '11rem', cell: ({ type }) => <code>{type}</code> },
    { title: 'Changed properties', cell: ({ members }) => members.join(', ') },
  ];
  return (
    <>
      <Table
        label="Changes"
        columns={columns}
        rows={changes.slice(0, MAX_ROWS)}
        rowKey={({ kind, id }) => `${kind} ${id}`}
      />
      {changes.length > MAX_ROWS && (
        <p className={styles.none}>and {(changes.length - MAX_ROWS).toLocaleString('en')} more</p>
      )}
    </>
  );
}
