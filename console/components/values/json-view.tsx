/**
 * JSON as a tree. Only what is open is in the document, long lists come in portions and long texts are cut, so a
 * megabyte of variables is as quick as a line of them.
 */
import { useState } from 'react';
import { classes } from '../basics/classes.js';
import styles from './json-view.module.css';

const portion = 100;
const maxTextLength = 400;

export function JsonView({ value, label, openDepth = 1 }: { value: unknown; label: string; openDepth?: number }) {
  return (
    <div className={styles.view} role="group" aria-label={label}>
      {hasMembers(value) ? <Members value={value} openDepth={openDepth} /> : <Scalar value={value} />}
    </div>
  );
}

function Members({ value, openDepth }: { value: object; openDepth: number }) {
  const [shown, setShown] = useState(portion);
  const keys = Object.keys(value);
  return (
    <ul>
      {keys.slice(0, shown).map((key) => (
        <Member key={key} name={key} value={(value as Record<string, unknown>)[key]} openDepth={openDepth} />
      ))}
      {keys.length > shown && (
        <li>
          <button type="button" className={styles.more} onClick={() => setShown(shown + portion)}>
            {keys.length - shown} more
          </button>
        </li>
      )}
    </ul>
  );
}

function Member({ name, value, openDepth }: { name: string; value: unknown; openDepth: number }) {
  const [isOpen, setIsOpen] = useState(openDepth > 1);
  if (!hasMembers(value)) {
    return (
      <li className={styles.leaf}>
        <span className={styles.name}>{name}</span> <Scalar value={value} />
      </li>
    );
  }
  return (
    <li>
      <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <span className={styles.name}>{name}</span> <span className={styles.summary}>{summaryOf(value)}</span>
      </button>
      {isOpen && <Members value={value} openDepth={openDepth - 1} />}
    </li>
  );
}

function Scalar({ value }: { value: unknown }) {
  const [isWhole, setIsWhole] = useState(false);
  const text = JSON.stringify(value) ?? 'undefined';
  const isCut = text.length > maxTextLength && !isWhole;
  return (
    <span className={classes(styles.scalar, typeof value === 'string' ? styles.text : styles.literal)}>
      {isCut ? `${text.slice(0, maxTextLength)}…` : text}
      {isCut && (
        <button type="button" className={styles.more} onClick={() => setIsWhole(true)}>
          all {text.length.toLocaleString('en')} characters
        </button>
      )}
    </span>
  );
}

/** An empty object or list is shown as its text. */
function hasMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function summaryOf(value: object): string {
  const count = Object.keys(value).length;
  return Array.isArray(value) ? `[${count}]` : `{${count}}`;
}
