/** The changes in a file without a diagram: its lines before and after. */
import { useMemo } from 'react';
import styles from './changed-lines.module.css';
import { lineChanges } from './line-changes.js';

/** Of each side. */
const MAX_LINES = 200;

export function ChangedLines({ before, after }: { before: string; after: string }) {
  const changes = useMemo(() => lineChanges(before, after), [before, after]);
  if (changes === undefined) return <p>No differences.</p>;
  return (
    <>
      <p>From line {changes.line.toLocaleString('en')}:</p>
      <Lines label="Before their changes" sign="−" lines={changes.removed} tone={styles.removed} />
      <Lines label="With their changes" sign="+" lines={changes.added} tone={styles.added} />
    </>
  );
}

interface LinesProps {
  label: string;
  sign: string;
  lines: readonly string[];
  tone: string | undefined;
}

function Lines({ label, sign, lines, tone }: LinesProps) {
  if (lines.length === 0) return null;
  const others = lines.length - MAX_LINES;
  const shown = lines.slice(0, MAX_LINES).map((line) => `${sign} ${line}`);
  return (
    <div role="group" aria-label={label}>
      <h3>{label}</h3>
      <pre className={`${styles.lines} ${tone}`} tabIndex={0}>
        {shown.join('\n')}
        {others > 0 && `\nand ${others.toLocaleString('en')} more lines`}
      </pre>
    </div>
  );
}
