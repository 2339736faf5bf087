import type { ReactNode } from 'react';
import { classes } from '../basics/classes.js';
import styles from './table.module.css';

export interface Column<Row> {
  title: string;
  /** The content of a cell. The first column should name the row, with a link if the row has a page. */
  cell(row: Row): ReactNode;
  /** CSS width; the rest is shared. */
  width?: string;
  isNumber?: boolean;
  /** The member of the list that this column sorts by. */
  sort?: string;
}

/** The order of a list that the server sorts. */
export interface Sorting {
  by: string;
  order: 'asc' | 'desc';
  /** The orders to choose from. */
  offered: readonly { sort: string; order: 'asc' | 'desc' }[];
  onSort(by: string, order: 'asc' | 'desc'): void;
}

interface TableProps<Row> {
  /** The accessible name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string;
  /** Key of the marked row. */
  selected?: string | undefined;
  onSelect?(row: Row): void;
  sorting?: Sorting | undefined;
  /** The group of a row. Rows of a group follow each other, below its name. */
  groupOf?: ((row: Row) => string) | undefined;
}

/** Rows with the same key keep their DOM nodes, so a refresh loses neither the focus nor selected text. */
export function Table<Row>({ label, columns, rows, sorting, groupOf, ...looks }: TableProps<Row>) {
  return (
    // On narrow screens the frame scrolls sideways. Without it, a table without links could not take the focus.
    <div className={styles.frame} role="group" aria-label={label} tabIndex={0}>
      <table className={styles.table} aria-label={label}>
        <colgroup>
          {columns.map(({ title, width }) => (
            <col key={title} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ title, isNumber, sort }) => (
              <th
                key={title}
                scope="col"
                className={classes(isNumber && styles.number)}
                aria-sort={sort !== undefined && sorting?.by === sort ? inWords[sorting.order] : undefined}
              >
                {sort !== undefined && sorting ? <SortHeader title={title} sort={sort} sorting={sorting} /> : title}
              </th>
            ))}
          </tr>
        </thead>
        {groupOf === undefined ? (
          <tbody>
            <Rows columns={columns} rows={rows} {...looks} />
          </tbody>
        ) : (
          grouped(rows, groupOf).map(([group, members]) => (
            <tbody key={group}>
              <tr className={styles.group}>
                <th scope="rowgroup" colSpan={columns.length}>
                  {group}
                </th>
              </tr>
              <Rows columns={columns} rows={members} {...looks} />
            </tbody>
          ))
        )}
      </table>
    </div>
  );
}

function Rows<Row>({
  columns,
  rows,
  rowKey,
  selected,
  onSelect,
}: Omit<TableProps<Row>, 'label' | 'sorting' | 'groupOf'>) {
  return rows.map((row) => {
    const key = rowKey(row);
    return (
      <tr
        key={key}
        className={classes(onSelect && styles.selectable, selected === key && styles.selected)}
        aria-selected={selected === undefined ? undefined : selected === key}
        onClick={onSelect && (() => onSelect(row))}
      >
        {columns.map(({ title, cell, isNumber }) => (
          <td key={title} className={classes(isNumber && styles.number)}>
            {cell(row)}
          </td>
        ))}
      </tr>
    );
  });
}

/** Groups in the order of their first rows. */
function grouped<Row>(rows: readonly Row[], groupOf: (row: Row) => string): [string, Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groupOf(row);
    const members = groups.get(group);
    if (members) members.push(row);
    else groups.set(group, [row]);
  }
  return [...groups];
}

const inWords = { asc: 'ascending', desc: 'descending' } as const;

/** The first press sorts in descending order, the second reverses it, if both are offered. */
function SortHeader({ title, sort, sorting }: { title: string; sort: string; sorting: Sorting }) {
  const isSorted = sorting.by === sort;
  const offered = sorting.offered.filter((one) => one.sort === sort).map(({ order }) => order);
  const [next] = offered.filter((order) => !isSorted || order !== sorting.order);
  const arrow = isSorted ? arrows[sorting.order] : offered.length === 1 ? arrows[offered[0]!] : '↕';
  const content = (
    <>
      {title}
      {(isSorted || next !== undefined) && <span aria-hidden="true"> {arrow}</span>}
    </>
  );
  return next === undefined ? (
    <span title={SLOW}>{content}</span>
  ) : (
    <button type="button" className={styles.sort} onClick={() => sorting.onSort(sort, next)}>
      {content}
    </button>
  );
}

const arrows = { asc: '↑', desc: '↓' } as const;
const SLOW = 'With these filters, a large list takes long in other orders';
