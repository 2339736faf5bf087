/** Context of one evaluation of a model: its clock, mode and limits, and its recorded diagnostics. */
import type { Budget, Environment } from '@perdure/feel/evaluate.js';
import type { FeelType } from '@perdure/feel/values/feel-type.js';
import type { FeelValue } from '@perdure/feel/values/values.js';

/** A rule of a decision table that matched. */
export interface Hit {
  ruleID?: string;
  outputs: FeelValue;
}

/** Limited, because a loop may evaluate a table thousands of times. */
const MAX_HITS = 1000;

/** Every part of an evaluation, including functions it calls, finds the same session as the environment of its run. */
export class Session implements Environment {
  readonly now: number;
  readonly zone?: string;
  readonly mode: 'strict' | 'lenient';
  readonly budget?: Partial<Budget>;
  readonly steps?: number;
  readonly resolveType: (name: string) => FeelType | undefined;
  hits: Hit[] = [];

  constructor(environment: Environment, resolveType: (name: string) => FeelType | undefined) {
    this.now = environment.now;
    this.mode = environment.mode;
    if (environment.zone !== undefined) this.zone = environment.zone;
    if (environment.budget !== undefined) this.budget = environment.budget;
    if (environment.steps !== undefined) this.steps = environment.steps;
    this.resolveType = resolveType;
  }

  noteHits(hits: readonly Hit[]): void {
    this.hits.push(...hits.slice(0, MAX_HITS - this.hits.length));
  }
}
