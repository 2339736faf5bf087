/** Selects one of several waits at one element. */
import type { ChoiceInPlay } from '@perdure/testkit/browser';
import { SelectField } from '../../components/fields/field.js';

interface ChoiceFieldProps {
  /** Absent if there is no choice. */
  choices: readonly ChoiceInPlay[] | undefined;
  /** The selected one, from 1. */
  nth: number;
  onChange(nth: number): void;
}

export function ChoiceField({ choices, nth, onChange }: ChoiceFieldProps) {
  if (choices === undefined) return null;
  return (
    <SelectField
      label="Which one"
      hint="The oldest is the first."
      value={nth}
      onChange={({ target }) => onChange(Number(target.value))}
    >
      {choices.map(({ workflowID, wait, turn }, index) => (
        <option key={`${workflowID} ${wait}`} value={index + 1}>
          {index + 1}
          {turn !== undefined && `, turn ${turn}`}
        </option>
      ))}
    </SelectField>
  );
}
