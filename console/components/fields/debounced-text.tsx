import { useEffect, useState } from 'react';
import { TextField } from './field.js';

const settleAfterMs = 300;

interface DebouncedTextProps {
  label: string;
  placeholder: string;
  value: string | undefined;
  onSettle(value: string): void;
}

/** A text that is reported once the typing has stopped: an address that changed with each key would lag behind. */
export function DebouncedText({ label, placeholder, value = '', onSettle }: DebouncedTextProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onSettle(text.trim()), settleAfterMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- only what is typed starts the waiting
  }, [text]);
  return (
    <TextField
      label={label}
      value={text}
      spellCheck={false}
      placeholder={placeholder}
      onChange={({ target }) => setText(target.value)}
    />
  );
}
