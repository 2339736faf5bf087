import styles from './template-ids.module.css';

const MAX_IDS = 20;

/** Ids of the element templates of a file. */
export function TemplateIDs({ ids }: { ids: readonly string[] }) {
  return (
    <span className={styles.ids}>
      {ids.slice(0, MAX_IDS).map((id) => (
        <code key={id}>{id}</code>
      ))}
      {ids.length > MAX_IDS && <span>and {(ids.length - MAX_IDS).toLocaleString('en')} more</span>}
    </span>
  );
}
