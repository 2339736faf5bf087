/** FEEL texts of a file, parsed with the names they may contain. */
import { isShallow } from '@perdure/feel/depth.js';
import { describeProblem, parseFeel, type FeelTree, type Parsed } from '@perdure/feel/parse.js';
import type { Expression } from '../model.js';
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { nearestID, type XmlElement } from '../xml/element.js';
import { isBound, type NameScope, type Vocabulary } from './vocabulary.js';

/** URIs of FEEL since DMN 1.1, and common spellings. */
const FEEL_LANGUAGES: ReadonlySet<string> = new Set([
  'http://www.omg.org/spec/FEEL/20140401',
  'http://www.omg.org/spec/DMN/20180521/FEEL/',
  'https://www.omg.org/spec/DMN/20191111/FEEL/',
  'https://www.omg.org/spec/DMN/20211108/FEEL/',
  'https://www.omg.org/spec/DMN/20230324/FEEL/',
  'feel',
]);

export class ExpressionReader {
  readonly #problems: Diagnostics;
  readonly #vocabulary: Vocabulary;
  /** Names of all elements of the graph. */
  readonly #declared: ReadonlySet<string>;
  /** Variables that the decision being compiled reads and nothing declares. */
  undeclared = new Set<string>();

  constructor(problems: Diagnostics, vocabulary: Vocabulary, declared: ReadonlySet<string>) {
    this.#problems = problems;
    this.#vocabulary = vocabulary;
    this.#declared = declared;
  }

  /** Reads an expression, or the unary tests of a cell. `what` describes it in messages. */
  read(
    element: XmlElement,
    text: string,
    what: string,
    scope: NameScope | undefined,
    kind: 'expression' | 'unary-tests' = 'expression',
  ): Expression {
    const elementID = nearestID(element);
    const parsed = parseFeel(text, { kind, names: this.#vocabulary.namesIn(text, scope) });
    if (!parsed.ok) {
      const [first] = parsed.errors.map((error) => describeProblem(what, error));
      this.#problems.error(elementID, first as string);
      return { unreadable: first as string };
    }
    for (const { name, line, column } of parsed.unknownFunctions) {
      this.#problems.warning(
        elementID,
        `The ${what} calls "${name}" at line ${line}, column ${column}, which is not a known function`,
      );
    }
    for (const { line, column } of parsed.unreadableLiterals) {
      this.#problems.warning(
        elementID,
        `The ${what} has a text after @ at line ${line}, column ${column} that is not a date, time, date and time, or duration`,
      );
    }
    this.#noteVariables(elementID, parsed, what, scope);
    return this.#checkDepth(elementID, parsed.tree, what);
  }

  /** Whether an element's expressions are FEEL; anything else is reported as a problem. */
  isFeel(element: XmlElement): boolean {
    const language = element.attributes.get('expressionLanguage');
    if (language === undefined || language === '') return this.#isFileInFeel(element);
    if (isFeelLanguage(language)) return true;
    this.#problems.error(
      nearestID(element),
      `The expression language ${JSON.stringify(language)} is not supported. Rewrite the expression in FEEL.`,
    );
    return false;
  }

  /** The language of "definitions" is that of each expression without its own (DMN 1.5 section 6.3.2). */
  #isFileInFeel(element: XmlElement): boolean {
    const root = rootOf(element);
    const language = root.attributes.get('expressionLanguage');
    if (language === undefined || language === '' || isFeelLanguage(language)) return true;
    this.#problems.error(
      nearestID(root),
      `The expression language ${JSON.stringify(language)} of "definitions" is not supported. Rewrite the expressions in FEEL, and remove the attribute.`,
    );
    return false;
  }

  #noteVariables(elementID: string | undefined, parsed: Parsed, what: string, scope: NameScope | undefined): void {
    for (const name of parsed.freeVariables) {
      if (name === '?' || isBound(scope, name)) continue;
      if (!this.#declared.has(name)) this.undeclared.add(name);
      else
        this.#problems.warning(
          elementID,
          `The ${what} reads "${name}", which is not a requirement of this element, so it is null. Add a requirement or correct the name.`,
        );
    }
  }

  #checkDepth(elementID: string | undefined, tree: FeelTree, what: string): Expression {
    if (isShallow(tree)) return tree;
    const message = `The ${what} is nested too deeply. Split it into several expressions.`;
    this.#problems.error(elementID, message);
    return { unreadable: message };
  }
}

function isFeelLanguage(language: string): boolean {
  return FEEL_LANGUAGES.has(language) || language.toLowerCase() === 'feel';
}

function rootOf(element: XmlElement): XmlElement {
  let root = element;
  while (root.parent !== undefined) root = root.parent;
  return root;
}
