/**
 * The view of a BPMN element that an element file gets for compilation. `bpmn/` implements it over the parsed XML; the
 * engine itself does not depend on XML.
 */
import type { Expression, Mapping, Outputs } from './graph.js';

/** One extension element, found by its local name in any namespace. */
export interface SourceExtension {
  name: string;
  /** The attribute's text; undefined if absent. */
  attribute(name: string): string | undefined;
  /** Whether a boolean attribute (`xsd:boolean`) is true; `fallback` if absent. */
  flag(name: string, fallback: boolean): boolean;
  children(name: string): SourceExtension[];
  /** Text content, trimmed. */
  text: string;
}

export interface SourceElement {
  id: string;
  /** Local type without a prefix: `serviceTask`. */
  type: string;
  name?: string;
  attribute(name: string): string | undefined;
  /** Whether a boolean attribute (`xsd:boolean`) is true; `fallback` if absent. */
  flag(name: string, fallback: boolean): boolean;
  /** The first extension element of this local name. */
  extension(name: string): SourceExtension | undefined;
  /** The first extension element of this local name in Perdure's namespace. */
  perdureExtension(name: string): SourceExtension | undefined;
  /** The first extension element of this local name here, otherwise at the process. */
  inheritedExtension(name: string): SourceExtension | undefined;
  /** Child elements by local name: `timeDuration`, `conditionExpression`. */
  children(name: string): SourceElement[];
  /** All event definitions in document order, references to root definitions included. */
  eventDefinitions(): SourceElement[];
  /** The root element that an attribute such as `messageRef`, `errorRef` or `signalRef` refers to. */
  reference(attribute: string): SourceElement | undefined;
  text: string;
}

export interface Compiler {
  /** Reports a problem at `element`. An error rejects the deployment. */
  problem(severity: 'error' | 'warning', element: SourceElement, message: string): void;
  /**
   * `=...` is FEEL, anything else a literal text.
   * @param what the place in the model, for the message: `job type`
   */
  expression(element: SourceElement, text: string, what: string): Expression;
  /** Parses FEEL without the leading sign, as in `zeebe:script`; a leading `=` is accepted. */
  feel(element: SourceElement, text: string, what: string): Expression;
  /**
   * The text of a timer's cycle, with a cron expression in the dialect of `time/cron.ts`. Undefined, after reporting the
   * problem, if that has no certain equivalent.
   */
  cycle(event: SourceElement, text: string): string | undefined;
  /** Returns `given`, after reporting a problem if it cannot be a variable name. */
  variableName(element: SourceElement, given: string, what: string): string;
  mappings(element: SourceElement): Outputs & { inputs?: Mapping[] };
}
