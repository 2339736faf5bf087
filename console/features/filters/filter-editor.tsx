/** The editor of one filter, in a popover. */
import type { FilterDescription } from '@perdure/client';
import { useEffect, useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { TextField } from '../../components/fields/field.js';
import { InstantField } from '../../components/fields/instant-field.js';
import { withValue } from './chips.js';
import styles from './filter-bar.module.css';

export interface EditorProps {
  filter: FilterDescription;
  /** The empty text without a value. */
  value: string;
  onChange(value: string): void;
  /** Called when the popover can close. */
  onDone(): void;
}

export function FilterEditor(props: EditorProps) {
  const { filter, value, onChange } = props;
  if (filter.kind === 'time') return <InstantField label={filter.label} value={value} onChange={onChange} />;
  return filter.values === undefined ? <TextEditor {...props} /> : <ValuesEditor {...props} />;
}

function TextEditor({ filter: { label, minLength = 1 }, value, onChange, onDone }: EditorProps) {
  const [text, setText] = useState(value);
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(text.trim());
        onDone();
      }}
    >
      <TextField
        label={label}
        hint={minLength > 1 ? `At least ${minLength} characters` : undefined}
        value={text}
        required
        minLength={minLength}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
      <Button kind="primary" type="submit">
        Apply
      </Button>
    </form>
  );
}

/** Radio buttons for one value, checkboxes for several. */
function ValuesEditor({ filter, value, onChange }: EditorProps) {
  const { label, values = [], several = false } = filter;
  // The address follows a moment later, and the box must not jump back until then.
  const [chosen, setChosen] = useState(value);
  useEffect(() => setChosen(value), [value]);
  const choose = (next: string) => {
    setChosen(next);
    onChange(next);
  };
  return (
    <fieldset className={styles.values}>
      <legend>{label}</legend>
      {values.map((one) => (
        <label key={one.value}>
          <input
            type={several || values.length === 1 ? 'checkbox' : 'radio'}
            name={filter.name}
            checked={chosen.split(',').includes(one.value)}
            onChange={({ target: { checked } }) =>
              choose(several ? withValue(filter, chosen, one.value, checked) : checked ? one.value : '')
            }
          />
          {one.label}
        </label>
      ))}
    </fieldset>
  );
}
