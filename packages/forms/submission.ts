/** One check of submitted variables: its issues, and how much work is left. */
import { compile, Evaluation, toJson, type VariableLookup } from '@perdure/feel/evaluate.js';
import { parseFeel } from '@perdure/feel/parse.js';

/** A wrong or missing value. The message never contains a value. */
export interface FormIssue {
  /** JSON pointer. */
  path: string;
  message: string;
}

/** The check runs on the event loop, so no form and no value may keep it busy. */
const MAX_CHECKS = 50_000;
const MAX_ISSUES = 1_000;
const MAX_PATTERN_STEPS = 1_500_000;
/** Of the texts that limits apply to, once for each field. */
const MAX_CHARACTERS = 20_000_000;
/** Of all expressions, each counted once: parsing them takes longer than evaluating most of them. */
const MAX_EXPRESSION_CHARACTERS = 50_000;
/** Parsing a shorter expression takes no less time. */
const MIN_CHARACTERS_OF_EXPRESSION = 100;

export class WorkSpent extends Error {}

export class Submission {
  readonly issues: FormIssue[] = [];
  readonly #evaluation: Evaluation;
  readonly #expressions = new Map<string, ReturnType<typeof compile> | undefined>();
  readonly #options = new Map<readonly unknown[], ReadonlySet<string>>();
  /** By value, because many fields can have the same one. */
  readonly #jsonTexts = new Map<unknown, string>();
  #checks = 0;
  #patternSteps = 0;
  #characters = 0;
  #expressionCharacters = 0;

  constructor(now: number) {
    this.#evaluation = new Evaluation({ now, mode: 'lenient' });
  }

  report(path: readonly (string | number)[], message: string): void {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ path: pointer(path), message });
  }

  /** Called for every list item, for every field of it, and for every item of a value. */
  countCheck(): void {
    this.#checks += 1;
    if (this.#checks > MAX_CHECKS) throw new WorkSpent(`more than ${MAX_CHECKS} fields and items`);
  }

  readonly countPatternSteps = (steps: number): void => {
    this.#patternSteps += steps;
    if (this.#patternSteps > MAX_PATTERN_STEPS) throw new WorkSpent('texts that are too long for their patterns');
  };

  countCharacters(count: number): void {
    this.#characters += count;
    if (this.#characters > MAX_CHARACTERS) throw new WorkSpent(`more than ${MAX_CHARACTERS} characters`);
  }

  /** The value as JSON text. */
  jsonOf(value: unknown): string {
    const known = this.#jsonTexts.get(value);
    if (known !== undefined) return known;
    const text = JSON.stringify(value);
    this.#jsonTexts.set(value, text);
    return text;
  }

  /** The values of a field's options as JSON text, read once. */
  optionsOf(values: readonly unknown[], valueOf: (option: unknown) => unknown): ReadonlySet<string> {
    const known = this.#options.get(values);
    if (known) return known;
    const texts = new Set(values.map((option) => JSON.stringify(valueOf(option))));
    this.#options.set(values, texts);
    return texts;
  }

  /** The value of a FEEL expression (`=...`); undefined if it cannot be evaluated. All of them share one budget. */
  evaluate(expression: string, variables: VariableLookup): unknown {
    const compiled = this.#compiled(expression);
    const outcome = compiled && this.#evaluation.evaluate(compiled, variables);
    if (outcome?.ok) return toJson(outcome.value);
    if (outcome?.error.code === 'BUDGET') throw new WorkSpent('expressions that need too much work');
    return undefined;
  }

  #compiled(expression: string): ReturnType<typeof compile> | undefined {
    if (!this.#expressions.has(expression)) {
      this.#expressionCharacters += Math.max(expression.length, MIN_CHARACTERS_OF_EXPRESSION);
      if (this.#expressionCharacters > MAX_EXPRESSION_CHARACTERS)
        throw new WorkSpent(`expressions of more than ${MAX_EXPRESSION_CHARACTERS} characters`);
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
