import { TextField } from './field.js';

interface InstantFieldProps {
  label: string;
  /** RFC 3339. Any other text counts as no value. */
  value: string | undefined;
  /** An instant in UTC, or the empty text. */
  onChange(value: string): void;
}

/** A point in time, shown and entered in the user's zone, to the minute. */
export function InstantField({ label, value, onChange }: InstantFieldProps) {
  return (
    <TextField
      label={label}
      type="datetime-local"
      value={localTime(value)}
      onChange={({ target }) => onChange(target.value && new Date(target.value).toISOString())}
    />
  );
}

/** The form that the control takes: local time without a zone. */
function localTime(instant: string | undefined): string {
  const date = new Date(instant ?? '');
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
