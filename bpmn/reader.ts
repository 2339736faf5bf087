/**
 * bpmn-moddle reads a file with one handler for each open element. Each is wrapped here, for what bpmn-moddle cannot do:
 * pass over content that means nothing to execution, and report a mistake with the element it is in.
 */
import type { BpmnModdle, ModdleElement, ModdleHandler, ModdleNode, ModdleReader, ParseResult } from 'bpmn-moddle';
import { DrawnReferences } from './drawn-references.js';
import { elementName } from './names.js';

export interface ReadFile extends ParseResult {
  /** What the diagrams of the file say about its elements. */
  drawn: DrawnReferences;
}

/** A mistake inside `element`, as `warnings` of bpmn-moddle carry it. */
export class MisplacedContent extends Error {
  readonly element: ModdleElement;

  constructor(message: string, element: ModdleElement) {
    super(message);
    this.element = element;
  }
}

/** Rejects when the root is not `definitions` of BPMN. */
export async function read(moddle: BpmnModdle, xml: string): Promise<ReadFile> {
  const drawn = new DrawnReferences();
  const diagram: ModdleHandler = {
    handleNode(node) {
      drawn.note(node.attributes);
      return this;
    },
    handleText: () => undefined,
    handleEnd: () => undefined,
  };
  const result = await moddle.fromXML(xml, {
    handler(this: ModdleReader, type: string) {
      const root: ModdleHandler = (Object.getPrototypeOf(this) as ModdleReader).handler.call(this, type);
      return { rootHandler: new WrappedHandler(root, diagram) };
    },
  });
  return { ...result, drawn };
}

/** BPMN 2.0.2 XML schema: `documentation` and `text` take any content, of any namespace. */
const FREE_CONTENT = new Set(['bpmn:Documentation', 'bpmn:TextAnnotation']);

const skipped: ModdleHandler = {
  handleNode: () => skipped,
  handleText: () => undefined,
  handleEnd: () => undefined,
};

class WrappedHandler implements ModdleHandler {
  readonly #handler: ModdleHandler;
  readonly #diagram: ModdleHandler;
  /** What is around a handler that makes no element, as those of texts and references. */
  readonly #around: ModdleElement | undefined;

  constructor(handler: ModdleHandler, diagram: ModdleHandler, around?: ModdleElement) {
    this.#handler = handler;
    this.#diagram = diagram;
    this.#around = around;
  }

  get element(): ModdleElement | undefined {
    return this.#handler.element;
  }

  get type(): unknown {
    return this.#handler.type;
  }

  set context(context: unknown) {
    this.#handler.context = context;
  }

  handleNode(node: ModdleNode): ModdleHandler {
    const inside = this.#inside();
    if (inside?.$type === 'bpmn:Definitions' && node.name === 'bpmndi:BPMNDiagram') {
      this.#diagram.handleNode(node);
      return this.#diagram;
    }
    try {
      const next = this.#handler.handleNode(node);
      if (next === this.#handler) return this;
      if (next) return new WrappedHandler(next, this.#diagram, inside);
    } catch (error) {
      if (inside && FREE_CONTENT.has(inside.$type)) return skipped;
      throw misplaced(error as Error, node, inside);
    }
    if (inside && FREE_CONTENT.has(inside.$type)) return skipped;
    throw misplaced(new Error(`unexpected element <${node.originalName}>`), node, inside);
  }

  handleText(text: string): void {
    try {
      this.#handler.handleText(text);
    } catch (error) {
      throw misplaced(error as Error, undefined, this.#inside());
    }
  }

  handleEnd(): void {
    this.#handler.handleEnd();
  }

  #inside(): ModdleElement | undefined {
    const made = this.#handler.element;
    return made && '$type' in made ? made : this.#around;
  }
}

function misplaced(error: Error, node: ModdleNode | undefined, inside: ModdleElement | undefined): Error {
  const message = node ? naming(node, error.message) : error.message;
  return inside ? new MisplacedContent(`${message} inside ${elementName(inside)}`, inside) : new Error(message);
}

/** bpmn-moddle leaves out the prefix of an element, and a type whose prefix it does not know. */
function naming({ originalName, attributes }: ModdleNode, message: string): string {
  if (message.startsWith('unrecognized element <')) return `unrecognized element <${originalName}>`;
  const type = attributes['xsi:type'];
  return type !== undefined && message.startsWith('unknown type <') ? `unknown xsi:type ${JSON.stringify(type)} of <${originalName}>` : message;
}
