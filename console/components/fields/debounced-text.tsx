import { useEffect, useState } from 'react';
import { TextField } from './field.js';

const settleAfterMs = 300;

interface DebouncedTextProps {
  label: string;
  placeholder?: string | undefined;
  value: string | undefined;
  onSettle(value: string): void;
}

/** Reports its text when the user pauses typing: updating the address with each key would be slow. */
export function DebouncedText({ label, placeholder, value = '', onSettle }: DebouncedTextProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onSettle(text.trim()), settleAfterMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- only typing starts the timer
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
