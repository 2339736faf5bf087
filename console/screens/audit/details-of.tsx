/** Set and replaced values in an entry of the audit log. */
import { Facts } from '../../components/values/facts.js';
import styles from './audit.module.css';

export function DetailsOf({ details }: { details: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(details);
  if (entries.length === 0) return undefined;
  return (
    <section className={styles.details}>
      <h3>Details</h3>
      <Facts facts={entries.map(([name, value]) => [labelOf(name), <Detail key={name} value={value} />] as const)} />
    </section>
  );
}

/** `historyRetention` as `History retention`, `definitionIDs` as `Definition ids`. */
function labelOf(name: string): string {
  const words = name.replace(/ID(s?)$/, 'Id$1').split(/(?=[A-Z])/);
  const label = words.join(' ').toLowerCase();
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** A value, or a replaced value with the new one. */
function Detail({ value }: { value: unknown }) {
  const isChange = typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
  return (
    <span className={styles.text}>{isChange ? `${textOf(value.from)} → ${textOf(value.to)}` : textOf(value)}</span>
  );
}

function textOf(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
