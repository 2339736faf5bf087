/** Answers of a host that differ from those of Operaton on purpose. The guide for workers has the reasons. */
import type { Answer } from './exchange.js';

export interface Difference {
  /** A row of the guide. */
  readonly row: string;
  /** Answers of a host, by `exchange: step`. */
  readonly here: Readonly<Record<string, Answer>>;
}

export const differences: readonly Difference[] = [];
