/** Loop characteristics of activities. All expressions are FEEL and begin with `=`. */
import { extensions } from './extensions.js';
import { element, escape, tag } from './xml.js';

export interface MultiInstanceOptions {
  readonly sequential?: boolean;
  /** The variable that holds the item (default `item`). */
  readonly element?: string;
  /** The expression whose results are collected. */
  readonly output?: string;
  /** The variable for the collected results. */
  readonly into?: string;
  /** The completion condition. */
  readonly until?: string;
}

export interface StandardLoopOptions {
  readonly condition?: string;
  readonly testBefore?: boolean;
  readonly maximum?: number;
}

/** Once for each item of a collection. */
export function multiInstance(
  inputCollection: string,
  { sequential = false, element: inputElement = 'item', output, into, until }: MultiInstanceOptions = {},
): string {
  const collections = { inputCollection, inputElement, outputElement: output, outputCollection: into };
  return element('multiInstanceLoopCharacteristics', { isSequential: sequential }, [
    extensions(tag('zeebe:loopCharacteristics', collections)),
    until === undefined ? '' : element('completionCondition', {}, escape(until)),
  ]);
}

export function standardLoop({ condition, testBefore = false, maximum }: StandardLoopOptions): string {
  return element(
    'standardLoopCharacteristics',
    { testBefore, loopMaximum: maximum },
    condition === undefined ? '' : element('loopCondition', {}, escape(condition)),
  );
}
