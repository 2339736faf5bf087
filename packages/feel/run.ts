/** State of one evaluation: its inputs, remaining budget, and diagnostics. */
import { DEFAULT_BUDGET, type Budget } from './budget.js';
import { Failure, type FeelError, type FeelErrorCode, type Span } from './errors.js';
import type { FeelType } from './values/feel-type.js';
import { entryOf, type FeelContext, type FeelValue } from './values/values.js';

/** Source of variables: a plain record, or a host with its own lookup. */
export type VariableSource = VariableRecord | VariableLookup;

export type VariableRecord = { readonly [name: string]: unknown };

export interface VariableLookup {
  has(name: string): boolean;
  get(name: string): unknown;
}

export interface Environment {
  /** The evaluation time in epoch milliseconds, read by `now()` and `today()`. */
  now: number;
  /** Time zone of `now()` and `today()`: `UTC` (default), an offset such as `+02:00`, or an IANA name. */
  zone?: string;
  mode: 'strict' | 'lenient';
  budget?: Partial<Budget>;
  /** Lowers the step limit of this evaluation to what the caller has left. */
  steps?: number;
  /** Meaning of type names that are not built in (item definitions), for `instance of` and parameter types. */
  resolveType?: (name: string) => FeelType | undefined;
}

/** A bound value: parameter, iteration variable, context entry or filter item. */
export interface Cell {
  readonly value: FeelValue;
  readonly up: Cell | null;
}

const MAX_DIAGNOSTICS = 100;

export class Run {
  readonly environment: Environment;
  readonly budget: Readonly<Budget>;
  /** False while a part is evaluated leniently. */
  strict: boolean;
  diagnostics: FeelError[] | undefined = undefined;
  private readonly limit: number;
  private steps: number;
  private depth = 0;
  private source: VariableSource;
  private record: VariableRecord | undefined = undefined;
  private lookup: VariableLookup | undefined = undefined;

  constructor(variables: VariableSource, environment: Environment) {
    this.environment = environment;
    this.strict = environment.mode === 'strict';
    this.budget = environment.budget === undefined ? DEFAULT_BUDGET : { ...DEFAULT_BUDGET, ...environment.budget };
    this.limit = Math.min(this.budget.steps, environment.steps ?? Number.POSITIVE_INFINITY);
    this.steps = this.limit;
    this.source = variables;
    this.use(variables);
  }

  /** Starts an evaluation with these variables. */
  use(variables: VariableSource): void {
    this.depth = 0;
    this.source = variables;
    if (isLookup(variables)) {
      this.record = undefined;
      this.lookup = variables;
    } else {
      this.record = variables;
      this.lookup = undefined;
    }
  }

  /** Name bindings of this evaluation. */
  get variables(): VariableSource {
    return this.source;
  }

  /** The value of a variable; `undefined` if it does not exist. */
  variable(name: string): FeelValue | undefined {
    const record = this.record;
    if (record !== undefined) return entryOf(record as FeelContext, name);
    const lookup = this.lookup as VariableLookup;
    return lookup.has(name) ? (lookup.get(name) as FeelValue) : undefined;
  }

  /** Ends a strict evaluation; in a lenient one, records the diagnostic and returns null. */
  fail(span: Span, code: FeelErrorCode, message: string): null {
    const failure = new Failure(code, message, span);
    if (this.strict) throw failure;
    this.diagnostics ??= [];
    if (this.diagnostics.length < MAX_DIAGNOSTICS) this.diagnostics.push(failure.toError());
    return null;
  }

  /** Steps used so far, at most the limit. */
  get operations(): number {
    return this.limit - Math.max(this.steps, 0);
  }

  /** Charges work; ends the evaluation in either mode if the budget is spent. */
  charge(steps: number, span: Span): void {
    this.steps -= steps;
    if (this.steps < 0) {
      throw new Failure(
        'BUDGET',
        `The evaluation limit of ${this.limit} steps is exhausted. Simplify the expression or give it less data.`,
        span,
      );
    }
  }

  /** Rejects a list that would be too long, and charges its items. */
  chargeList(length: number, span: Span): void {
    if (length > this.budget.listLength) {
      throw new Failure(
        'BUDGET',
        `A list or range exceeds the evaluation limit of ${this.budget.listLength} items.`,
        span,
      );
    }
    this.charge(length, span);
  }

  /** Rejects a string that would be too long, and charges its characters. */
  chargeString(length: number, span: Span): void {
    this.checkString(length, span);
    this.charge(length >> 6, span);
  }

  /** Rejects a string that would be too long. */
  checkString(length: number, span: Span): void {
    if (length > this.budget.stringLength) {
      throw new Failure(
        'BUDGET',
        `A string exceeds the evaluation limit of ${this.budget.stringLength} characters.`,
        span,
      );
    }
  }

  /** Enters a function call; pair with `leave`. */
  enter(span: Span): void {
    this.depth += 1;
    if (this.depth > this.budget.depth) {
      throw new Failure(
        'BUDGET',
        `Function calls exceed the evaluation limit of ${this.budget.depth} nested levels.`,
        span,
      );
    }
  }

  leave(): void {
    this.depth -= 1;
  }

  /** Runs a part in strict mode, regardless of the current mode. */
  strictly<T>(part: () => T): T {
    const before = { strict: this.strict, depth: this.depth };
    this.strict = true;
    try {
      return part();
    } finally {
      this.strict = before.strict;
      this.depth = before.depth;
    }
  }

  /**
   * Runs a part whose failures are ignored: they give null and no diagnostic. A spent budget still ends the evaluation.
   */
  quietly<T>(part: () => T): T {
    const { strict, diagnostics } = this;
    this.strict = false;
    this.diagnostics = undefined;
    try {
      return part();
    } finally {
      this.strict = strict;
      this.diagnostics = diagnostics;
    }
  }

  /** Runs a part with other variables; everything else is shared with this evaluation. */
  within<T>(variables: VariableSource, part: (inner: Run) => T): T {
    if (variables === this.variables) return part(this);
    const inner = new Run(variables, this.environment);
    inner.takeOver(this);
    try {
      return part(inner);
    } finally {
      this.takeOver(inner);
    }
  }

  private takeOver(other: Run): void {
    this.strict = other.strict;
    this.diagnostics = other.diagnostics;
    this.steps = other.steps;
    this.depth = other.depth;
  }
}

function isLookup(variables: VariableSource): variables is VariableLookup {
  return typeof variables.has === 'function' && typeof variables.get === 'function';
}
