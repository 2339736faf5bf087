/** State that the rules of one conversion share. */
import { hasForeignTimers, isForeign } from './foreign.js';
import { namesAt } from './loop-names.js';
import { ZEEBE } from '@perdure/lib/model-files/namespaces.js';
import { quoted, Report, type Outcome } from './report.js';
import { textAsFeel } from '@perdure/juel/text.js';
import type { Names } from '@perdure/juel/names.js';
import { allElements, lineOf, type Document, type Element } from './xml/document.js';

/** A task that a job worker has to perform, because the other engine ran code for it. */
export interface Job {
  type: string;
  elementID: string;
  /** The code that performed it, such as the name of a class. */
  performedBy: string;
  /** The variable that the worker sets. */
  resultVariable?: string;
}

export class Context {
  readonly report = new Report();
  readonly jobs: Job[] = [];
  /** The `ioMapping` elements whose outputs came in addition to what their elements set. */
  readonly mappedOutputs = new Set<Element>();
  readonly root: Element;
  /** Whether it has extensions or expressions of another engine, so that its defaults are those of that engine. */
  readonly isForeign: boolean;
  /** Whether the cron expressions of its timers are those of another engine. */
  readonly hasForeignTimers: boolean;
  /** Whether it had extensions of Perdure's own dialect before the conversion. */
  readonly hasOwnExtensions: boolean;
  readonly #ids: Set<string>;
  readonly #removed = new Map<string, { element: Element; reason: string; count: number }>();
  readonly #typesByCode = new Map<string, string>();

  constructor(document: Document) {
    this.root = document.documentElement!;
    const elements = allElements(this.root);
    this.isForeign = elements.some(isForeign);
    this.hasOwnExtensions = elements.some(({ namespaceURI }) => namespaceURI === ZEEBE);
    this.hasForeignTimers = hasForeignTimers(this.root, elements);
    this.#ids = new Set(elements.flatMap((element) => element.getAttribute('id') ?? []));
  }

  find(outcome: Outcome, element: Element, message: string): void {
    const elementID = idAround(element);
    this.report.add({ outcome, ...(elementID && { elementID }), line: lineOf(element), message });
  }

  /** Notes an extension that has no meaning here. One finding names all elements that had it. */
  removed(name: string, element: Element, reason: string): void {
    const known = this.#removed.get(name);
    if (known) known.count += 1;
    else this.#removed.set(name, { element, reason, count: 1 });
  }

  /** The report, in the order of the file. */
  finish(): Report {
    for (const [name, { element, reason, count }] of this.#removed) {
      const places = count === 1 ? '' : ` at ${count} elements`;
      this.find('converted', element, `${name} was removed${places}: ${reason}.`);
    }
    this.report.findings.sort((a, b) => a.line - b.line);
    return this.report;
  }

  /** An id that the file does not contain: `wanted`, or `wanted_2` and so on. */
  newID(wanted: string): string {
    let id = wanted;
    for (let other = 2; this.#ids.has(id); other += 1) id = `${wanted}_${other}`;
    this.#ids.add(id);
    return id;
  }

  /**
   * FEEL of a text with JUEL, with a leading equals sign; a text without JUEL stays. What has no equivalent stays too,
   * and is reported.
   * @param what describes the text in a finding, such as `condition`
   */
  feel(element: Element, text: string, what: string, names: Names = namesAt(element)): string {
    const feel = textAsFeel(text, names);
    if (feel !== undefined && /\.getVariable(?:Local)?\(/.test(text))
      this.find('review', element, `The ${what} ${quoted(text)} was null without the variable. It is an incident now.`);
    if (feel !== undefined) return feel;
    this.find(
      'unsupported',
      element,
      `The ${what} ${quoted(text)} has no certain equivalent in FEEL. Rewrite it in FEEL, or compute its value in a task before.`,
    );
    return text;
  }

  /** The job type for a piece of code; the same one for the same code, and never the same one for two. */
  jobType(wanted: string, code: string): string {
    for (let type = wanted, other = 2; ; type = `${wanted}-${other}`, other += 1) {
      const taken = this.#typesByCode.get(type) ?? code;
      if (taken !== code) continue;
      this.#typesByCode.set(type, code);
      return type;
    }
  }
}

/** The id of `element`, or of the nearest one around that has one. */
function idAround(element: Element): string | undefined {
  for (let around: Element | null = element; around; around = around.parentElement) {
    const id = around.getAttribute('id');
    if (id) return id;
  }
  return undefined;
}

/** Changes elements of the file, and reports what it did. */
export type Rule = (element: Element, context: Context) => void;
