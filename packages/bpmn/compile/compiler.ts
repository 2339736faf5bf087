/** Services for element files to compile their nodes: problems, expressions, mappings. */
import type { Expression, Mapping, Outputs } from '@perdure/engine/model/graph.js';
import type { Compiler, SourceElement, SourceExtension } from '@perdure/engine/model/source.js';
import { isShallow } from '@perdure/feel/depth.js';
import { describeProblem, parseFeel } from '@perdure/feel/parse.js';
import type { Names } from '@perdure/juel/names.js';
import { expressionAsFeel, holdsJuel, isJuel } from '@perdure/juel/text.js';
import { cronDialectOf, cycleOf, type CronDialect } from '../check/cron-dialect.js';
import { namesAt } from './juel-names.js';
import { constantOf } from '@perdure/lib/model-files/constants.js';
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import type { NameRead } from '../check/unset-names.js';
import { isVariableName } from '../check/variable-name.js';

/** Names in the target of a mapping. Variables that are nested more deeply cannot be stored. */
const MAX_TARGET_DEPTH = 50;

/** FEEL or JUEL throughout. */
function isExpression(text: string): boolean {
  return text.trimStart().startsWith('=') || isJuel(text);
}

export class ModelCompiler implements Compiler {
  readonly problems: Diagnostics;
  #reads: NameRead[] = [];
  #cronDialect: CronDialect | undefined;

  constructor(problems: Diagnostics) {
    this.problems = problems;
  }

  problem(severity: 'error' | 'warning', element: SourceElement, message: string): void {
    this.problems.add(severity, element.id, message);
  }

  expression(element: SourceElement, text: string, what: string): Expression {
    if (!isExpression(text) && holdsJuel(text)) {
      this.problem(
        'error',
        element,
        `The ${what} ${JSON.stringify(text)} contains JUEL inside a text, which is not evaluated. Rewrite it in FEEL: =...`,
      );
    }
    return this.value(element, text, what);
  }

  /** Like `expression`, but for content that is not a name: a text may contain JUEL, which is kept as it is. */
  value(element: SourceElement, text: string, what: string): Expression {
    return isExpression(text) ? this.feel(element, text, what) : { literal: text };
  }

  /** @param names JUEL names (default: those that are valid at `element`) */
  feel(element: SourceElement, text: string, what: string, names: Names = namesAt(element)): Expression {
    const translated = isJuel(text) ? expressionAsFeel(text, names) : text.replace(/^\s*=/, '');
    if (translated === undefined) {
      this.problem(
        'error',
        element,
        `The ${what} ${JSON.stringify(text)} is a JUEL expression with no unambiguous FEEL equivalent. Rewrite it in FEEL: =...`,
      );
      return { literal: null };
    }
    const parsed = parseFeel(translated);
    if (!parsed.ok) {
      for (const error of parsed.errors) this.problem('error', element, describeProblem(what, error));
      return { literal: null };
    }
    for (const { name, line, column } of parsed.unknownFunctions) {
      this.problem(
        'error',
        element,
        `The ${what} calls ${name} at line ${line}, column ${column}, which is not a FEEL function`,
      );
    }
    for (const { line, column } of parsed.unreadableLiterals) {
      this.problem(
        'error',
        element,
        `The ${what} has a text after @ at line ${line}, column ${column} that is not a date, time, date and time, or duration`,
      );
    }
    if (!isShallow(parsed.tree)) {
      this.problem('error', element, `The ${what} is nested too deeply. Split it into several expressions.`);
      return { literal: null };
    }
    this.#reads.push(...parsed.freeVariables.map((name) => ({ name, element })));
    return { feel: parsed.tree };
  }

  /** The names that expressions have read since the last call, in document order. */
  takeReads(): NameRead[] {
    const reads = this.#reads;
    this.#reads = [];
    return reads;
  }

  cycle(event: SourceElement, text: string): string | undefined {
    const dialect = (this.#cronDialect ??= cronDialectOf(event));
    return cycleOf(event, { text, isExpression: isExpression(text), dialect }, this.problems);
  }

  variableName(element: SourceElement, given: string, what: string): string {
    if (!isVariableName(given))
      this.problem('error', element, `The ${what} must be a variable name, but is ${JSON.stringify(given)}`);
    return given;
  }

  mappings(element: SourceElement): Outputs & { inputs?: Mapping[] } {
    const ioMapping = element.extension('ioMapping');
    const inputs = (ioMapping?.children('input') ?? []).map((input) => this.#mapping(element, input, 'input mapping'));
    const outputs = (ioMapping?.children('output') ?? []).map((output) =>
      this.#mapping(element, output, 'output mapping'),
    );
    return {
      ...(inputs.length > 0 && { inputs }),
      ...(outputs.length > 0 && { outputs }),
      ...(element.perdureExtension('keepResults') && { keepsResults: true }),
    };
  }

  #mapping(element: SourceElement, mapping: SourceExtension, what: string): Mapping {
    const target = mapping.attribute('target') ?? '';
    const path = target.split('.');
    if (!path.every(isVariableName)) {
      this.problem(
        'error',
        element,
        `The target of an ${what} must be a variable name, or names separated by dots, but is ${JSON.stringify(target)}`,
      );
    }
    if (path.length > MAX_TARGET_DEPTH) {
      this.problem(
        'error',
        element,
        `The target of an ${what} may have ${MAX_TARGET_DEPTH} names at most, but has ${path.length}`,
      );
    }
    return { source: this.#source(element, mapping, `${what} to ${target}`), target: path };
  }

  #source(element: SourceElement, mapping: SourceExtension, what: string): Expression {
    const source = mapping.attribute('source');
    if (source !== undefined)
      return isExpression(source) ? this.feel(element, source, what) : { literal: constantOf(source) };
    this.#reportMissingSource(element, mapping, what);
    return { literal: null };
  }

  /** Modelers write an empty input so, and it is null in Camunda 8. An output would overwrite its variable with null. */
  #reportMissingSource(element: SourceElement, mapping: SourceExtension, what: string): void {
    if (mapping.name === 'input') this.problem('warning', element, `The ${what} has no source, so its value is null`);
    else this.problem('error', element, `The ${what} needs a source`);
  }
}
