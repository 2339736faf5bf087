/** Functions as values: function literals, built-in functions, and host functions. */
import type { Span } from './errors.js';
import type { Run } from './run.js';
import type { FeelType } from './values/feel-type.js';
import { FeelObject, type FeelValue } from './values/values.js';

export interface Parameter {
  name: string;
  type?: FeelType;
}

/** A function value. `parameters` is undefined for built-in functions with several forms, which check their arguments themselves. */
export class FeelFunction extends FeelObject {
  readonly type = 'function';

  constructor(
    /** For messages; a function literal has no name. */
    readonly name: string | undefined,
    readonly parameters: readonly Parameter[] | undefined,
    readonly invoke: (run: Run, args: FeelValue[], span: Span, names?: readonly string[]) => FeelValue,
    /** Type of the results; undefined if unknown. */
    readonly result?: FeelType,
  ) {
    super();
  }
}
