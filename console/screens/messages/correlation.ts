import type { Schemas } from '../../frame/api/client.js';

type CorrelationKeys = Schemas['CorrelationKeys'];

/** The correlation as it is typed: JSON, for its type counts. Empty text is none. */
export function readCorrelation(text: string): { value?: CorrelationKeys; problem?: string } {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: `Invalid JSON. Put text in quotes: ${JSON.stringify(text.trim())}` };
  }
  const isTaken = value !== null && !Array.isArray(value);
  return isTaken
    ? { value: value as CorrelationKeys }
    : { problem: 'Expected a string, a number, true, false, or an object.' };
}
