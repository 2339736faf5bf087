/** Types of values as data: DMN 1.5 section 7.3.2. */
import type { TypeName } from './values.js';

/** A simple type; `Any` is every value, `duration` either kind of duration. */
export type SimpleTypeName = TypeName | 'Any' | 'duration';

export type FeelType =
  | { kind: 'simple'; name: SimpleTypeName }
  | { kind: 'list'; element: FeelType }
  | { kind: 'range'; element: FeelType }
  | { kind: 'context'; entries: { name: string; type: FeelType }[] }
  | { kind: 'function'; parameters: FeelType[]; result: FeelType };
