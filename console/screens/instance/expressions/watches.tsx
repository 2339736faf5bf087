/** Expressions that an operator follows through the replay. The browser keeps them for the process. */
import { useState, type FormEvent } from 'react';
import { Button, IconButton } from '../../../components/basics/button.js';
import { useStored } from '../../../frame/layout/use-stored.js';
import { useInstance } from '../use-instance.js';
import styles from './expressions.module.css';
import { ExpressionValue } from './value.js';

/** As many evaluations as a step causes. */
const maxWatches = 10;
const maxLength = 16_384;

export function Watches({ at }: { at: number }) {
  const { expressions, add, remove } = useWatches();
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    add(text.trim());
    setText('');
  };
  return (
    <section className={styles.expressions} aria-label="Watch expressions">
      <h3>Watch expressions</h3>
      <dl>
        {expressions.map((expression) => (
          <Watch key={expression} expression={expression} at={at} onRemove={() => remove(expression)} />
        ))}
      </dl>
      {expressions.length < maxWatches ? (
        <form className={styles.add} onSubmit={submit}>
          <input
            aria-label="FEEL expression"
            placeholder="total > limit"
            maxLength={maxLength}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <Button type="submit" disabled={text.trim() === ''}>
            Watch
          </Button>
        </form>
      ) : (
        <p className={styles.note}>At most {maxWatches} expressions can be watched.</p>
      )}
    </section>
  );
}

function Watch({ expression, at, onRemove }: { expression: string; at: number; onRemove(): void }) {
  return (
    <>
      <dt>
        <code>{expression}</code>
      </dt>
      <dd>
        <ExpressionValue expression={expression} at={at} scopeID={undefined} />
        <IconButton icon="close" label={`Stop watching ${expression}`} onClick={onRemove} />
      </dd>
    </>
  );
}

function useWatches() {
  const { projectID, instance } = useInstance();
  const [stored, store] = useStored(`perdure.watches.${projectID}.${instance.processId}`);
  const expressions = read(stored);
  const keep = (next: string[]) => store(next.length === 0 ? undefined : JSON.stringify(next));
  return {
    expressions,
    add: (expression: string) => keep([...expressions.filter((known) => known !== expression), expression]),
    remove: (expression: string) => keep(expressions.filter((known) => known !== expression)),
  };
}

/** Whatever else is stored there counts as nothing. */
function read(stored = '[]'): string[] {
  try {
    const kept = JSON.parse(stored) as unknown;
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, maxWatches) : [];
  } catch {
    return [];
  }
}
