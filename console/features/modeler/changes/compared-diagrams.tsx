/** The diagrams of two revisions of a file next to each other, with the changes between them. */
import { useMemo } from 'react';
import { Card } from '../../../components/basics/card.js';
import { Diagram } from '../../diagram/diagram.js';
import { DiagramRoom } from '../../diagram/diagram-room.js';
import { marksOfChanges } from './change-marks.js';
import type { Change } from './changes.js';
import styles from './compared-diagrams.module.css';

interface ComparedFile {
  title: string;
  xml: string;
}

interface ComparedDiagramsProps {
  before: ComparedFile;
  after: ComparedFile;
  changes: readonly Change[];
  /** An element that both diagrams highlight. */
  selected: string | undefined;
  onSelect(elementID: string | undefined): void;
  isInDialog?: boolean;
}

export function ComparedDiagrams(props: ComparedDiagramsProps) {
  const { changes, selected, onSelect, isInDialog = false } = props;
  const marks = useMemo(
    () => ({ before: marksOfChanges(changes, 'added'), after: marksOfChanges(changes, 'removed') }),
    [changes],
  );
  const highlighted = useMemo(() => (selected === undefined ? [] : [selected]), [selected]);
  return (
    <div className={styles.sides}>
      {(['before', 'after'] as const).map((side) => {
        const { title, xml } = props[side];
        const room = (
          <DiagramRoom isInDialog={isInDialog}>
            <Diagram xml={xml} {...marks[side]} selected={highlighted} onSelect={onSelect} label={side} />
          </DiagramRoom>
        );
        if (!isInDialog)
          return (
            <Card key={side} title={title}>
              {room}
            </Card>
          );
        return (
          <section key={side} aria-label={title}>
            <h3>{title}</h3>
            {room}
          </section>
        );
      })}
    </div>
  );
}
