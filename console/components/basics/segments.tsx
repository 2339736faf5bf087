import { classes } from './classes.js';
import styles from './segments.module.css';

interface SegmentsProps<ID extends string> {
  label: string;
  options: readonly { id: ID; label: string }[];
  selected: ID;
  onSelect(id: ID): void;
}

/** A switch between few views of the same thing, each a button that is pressed or not. */
export function Segments<ID extends string>({ label, options, selected, onSelect }: SegmentsProps<ID>) {
  return (
    <div className={styles.segments} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.id}
          type="button"
          aria-pressed={option.id === selected}
          className={classes(styles.segment, option.id === selected && styles.selected)}
          onClick={() => onSelect(option.id)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
