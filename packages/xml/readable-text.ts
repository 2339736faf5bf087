/** Files for the libraries of bpmn.io, whose parser by itself corrupts characters that are written as references. */
import { readable } from './readable.js';
import { isRefusal } from './refusal.js';

/** @throws Error for a file that the host would refuse too */
export function readableText(xml: string): string {
  const file = readable(xml);
  if (isRefusal(file)) throw new Error(file.message);
  return file.text;
}
