import { eventGroups, type EventType } from './event-types.js';
import styles from './subscriptions.module.css';

/** A checkbox for each type of event. */
export function EventFields({
  types,
  onChange,
}: {
  types: readonly EventType[];
  onChange(types: readonly EventType[]): void;
}) {
  const chosen = new Set(types);
  const toggle = (type: EventType) =>
    onChange(chosen.has(type) ? types.filter((one) => one !== type) : [...types, type]);
  return (
    <fieldset className={styles.events}>
      <legend>Events</legend>
      {eventGroups.map(({ label, events }) => (
        <fieldset key={label} className={styles.group}>
          <legend>{label}</legend>
          {(Object.entries(events) as [EventType, string][]).map(([type, word]) => (
            <label key={type}>
              <input type="checkbox" checked={chosen.has(type)} onChange={() => toggle(type)} />
              {word}
            </label>
          ))}
        </fieldset>
      ))}
    </fieldset>
  );
}
