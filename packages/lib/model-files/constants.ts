/** Constant sources of mappings: as in Camunda 8, some texts without an equals sign are values of another type. */
import { isExactDecimal } from '../exact-decimal.js';

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** The syntax of `BigDecimal` in Java, by which Camunda 8 recognizes numbers. */
const NUMERAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A number that a double does not reproduce, such as an id of 20 digits, stays the text that it is. */
export function constantOf(text: string): string | number | boolean | null {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  return NUMERAL.test(text) && isExactDecimal(text.replace(/^\+/, '')) ? Number(text) : text;
}
