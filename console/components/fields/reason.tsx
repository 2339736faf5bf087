import { TextField } from './field.js';

/** The reason that an operator gives for an action. */
export function Reason({ value, onChange }: { value: string; onChange(value: string): void }) {
  return (
    <TextField
      label="Reason"
      hint="Recorded in the audit log. Optional."
      value={value}
      maxLength={1000}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** The member of a request; none for an empty field. */
export function asked(reason: string): { reason?: string } {
  return reason.trim() === '' ? {} : { reason: reason.trim() };
}
