/**
 * FEEL at deployment: parses an expression once and returns the tree for evaluation, with the names it needs from
 * outside. Workflow code imports only `evaluate.ts`, without the grammar.
 */
import { SyntaxFault, type SyntaxProblem } from './syntax/text/problem.js';
import { readText } from './syntax/read.js';
import { positionOf } from './syntax/text/text.js';
import { TREE_VERSION, type FeelTree } from './tree.js';

export { describeProblem } from './syntax/read.js';
export type { SyntaxProblem } from './syntax/text/problem.js';
export type { FeelTree } from './tree.js';

interface ParseOptions {
  /**
   * Known names of variables and entries. Required for names with spaces or operator characters; others are optional.
   */
  names?: readonly string[];
  /** `unary-tests` parses a cell of a decision table. */
  kind?: 'expression' | 'unary-tests';
}

interface Place {
  from: number;
  line: number;
  column: number;
}

interface UnknownFunction extends Place {
  name: string;
}

export interface Parsed {
  ok: true;
  tree: FeelTree;
  /** Variables that the expression needs. */
  freeVariables: string[];
  /** Names inside filters, which are variables only if the filtered items have no entry with that name. */
  possibleVariables: string[];
  /** Paths read from the free variables: the variable, then entry names. */
  paths: string[][];
  unknownFunctions: UnknownFunction[];
  /** Literals after `@` that are not a date, time, date and time, or duration. Evaluating one fails. */
  unreadableLiterals: Place[];
}

interface NotParsed {
  ok: false;
  errors: SyntaxProblem[];
}

/**
 * Parses a FEEL expression, or a list of unary tests (DMN 1.5 chapter 10). Never throws.
 *
 * Functions that are neither built in, nor defined in the expression, nor among `names` are listed as unknown: calling
 * one fails at run time.
 */
export function parseFeel(text: string, options: ParseOptions = {}): Parsed | NotParsed {
  const { names = [], kind = 'expression' } = options;
  try {
    const { root, uses } = readText(text, kind, names);
    return {
      ok: true,
      tree: { version: TREE_VERSION, kind, root },
      freeVariables: [...uses.freeVariables],
      possibleVariables: [...uses.possibleVariables],
      paths: [...uses.paths.values()],
      unknownFunctions: uses.unknownFunctions.map(({ name, at: [from] }) => ({
        name,
        from,
        ...positionOf(text, from),
      })),
      unreadableLiterals: uses.unreadableLiterals.map(({ at: [from] }) => ({ from, ...positionOf(text, from) })),
    };
  } catch (thrown) {
    if (thrown instanceof SyntaxFault) return { ok: false, errors: [thrown.toProblem(text)] };
    if (!(thrown instanceof RangeError)) throw thrown;
    return {
      ok: false,
      errors: [new SyntaxFault('The expression is nested too deeply.', 0, text.length).toProblem(text)],
    };
  }
}
