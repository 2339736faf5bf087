/** Parses typed correlation keys. Empty text is undefined. */
import type { components } from '@perdure/client';

type CorrelationKeys = components['schemas']['CorrelationKeys'];

/** A number, a boolean, quoted text, and an object keep their types; anything else is plain text. */
export function readCorrelation(text: string): CorrelationKeys | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  const value = parse(typed);
  return isTaken(value) ? value : typed;
}

/** A sentence about the type of a correlation key, because types are compared. */
export function inWords(correlation: CorrelationKeys): string {
  const kind = typeof correlation === 'string' ? 'text' : typeof correlation;
  return `Sent as the ${kind} ${JSON.stringify(correlation)}.`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTaken(value: unknown): value is CorrelationKeys {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      // Rounding would change the key: 12345678901234567890 becomes 12345678901234567000.
      return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
    case 'object':
      return value !== null && !Array.isArray(value);
    default:
      return false;
  }
}
