/** One check of submitted variables: its issues, and how much work is left. */
import { compile, Evaluation, toJson, type VariableRecord } from '@perdure/feel/evaluate.js';
import { parseFeel } from '@perdure/feel/parse.js';

/** A wrong or missing value. The message never contains a value. */
export interface FormIssue {
  /** JSON pointer. */
  path: string;
  message: string;
}

/** A large list in a large form must not keep the event loop busy. */
const MOST_CHECKS = 50_000;
const MOST_ISSUES = 1_000;
const MOST_PATTERN_STEPS = 5_000_000;

export class WorkSpent extends Error {}

export class Submission {
  readonly issues: FormIssue[] = [];
  readonly #evaluation: Evaluation;
  readonly #expressions = new Map<string, ReturnType<typeof compile> | undefined>();
  #checks = 0;
  #patternSteps = 0;

  constructor(now: number) {
    this.#evaluation = new Evaluation({ now, mode: 'lenient' });
  }

  report(path: readonly (string | number)[], message: string): void {
    if (this.issues.length < MOST_ISSUES) this.issues.push({ path: pointer(path), message });
  }

  /** Called for every field of every list item. */
  countCheck(): void {
    this.#checks += 1;
    if (this.#checks > MOST_CHECKS) throw new WorkSpent(`more than ${MOST_CHECKS} fields`);
  }

  readonly countPatternSteps = (steps: number): void => {
    this.#patternSteps += steps;
    if (this.#patternSteps > MOST_PATTERN_STEPS) throw new WorkSpent('texts that are too long for their patterns');
  };

  /** The value of a FEEL expression (`=...`); undefined if it cannot be evaluated. */
  evaluate(expression: string, variables: VariableRecord): unknown {
    const compiled = this.#compiled(expression);
    const outcome = compiled && this.#evaluation.evaluate(compiled, variables);
    return outcome?.ok ? toJson(outcome.value) : undefined;
  }

  #compiled(expression: string): ReturnType<typeof compile> | undefined {
    if (!this.#expressions.has(expression)) {
      const parsed = parseFeel(expression.slice(1));
      this.#expressions.set(expression, parsed.ok ? compile(parsed.tree) : undefined);
    }
    return this.#expressions.get(expression);
  }
}

/** RFC 6901. */
function pointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
