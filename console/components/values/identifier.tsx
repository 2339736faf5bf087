import { useState } from 'react';
import type { ReactNode } from 'react';
import { classes } from '../basics/classes.js';
import { Icon } from '../basics/icon.js';
import styles from './identifier.module.css';

interface IdentifierProps {
  /** The text to show and copy. */
  value: string;
  /**
   * Approximate length to which the shown text is shortened in the middle (default 44). Copying always takes the full
   * value.
   */
  longest?: number;
  /** A link around the text; the button stays outside. */
  wrap?(text: ReactNode): ReactNode;
}

/** An id in a monospaced font, with a button that copies it. */
export function Identifier({ value, longest = 44, wrap = (text) => text }: IdentifierProps) {
  const [wasCopied, setWasCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setWasCopied(true);
    setTimeout(() => setWasCopied(false), 1_500);
  };
  return (
    <span className={styles.identifier}>
      {wrap(<code title={value}>{shorten(value, longest)}</code>)}
      <button
        type="button"
        className={classes(styles.copy, wasCopied && styles.copied)}
        onClick={() => void copy()}
        aria-label={wasCopied ? 'Copied' : `Copy ${value}`}
        title={wasCopied ? 'Copied' : 'Copy'}
      >
        <Icon name={wasCopied ? 'check' : 'copy'} size={13} />
      </button>
    </span>
  );
}

/** The text without its middle, so that a number at its end stays. */
function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = Math.floor((longest - 1) / 3);
  return `${text.slice(0, longest - 1 - end)}…${text.slice(-end)}`;
}
