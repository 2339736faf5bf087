/**
 * bpmn-moddle reads a file with one handler per open element. Each handler is wrapped here to add what bpmn-moddle
 * cannot do: skip content that is irrelevant for execution, and report an error with the element that contains it.
 */
import type {
  BpmnModdle,
  ModdleContext,
  ModdleElement,
  ModdleHandler,
  ModdleNode,
  ModdleReader,
  ModdleReference,
  ParseResult,
} from 'bpmn-moddle';
import type { ReadableXml } from '@perdure/xml/readable.js';
import { DrawnReferences } from './drawn-references.js';
import { elementName } from './names.js';
import { Namespaces } from './namespaces.js';
import { WrittenAttributes } from './written-attributes.js';

export interface ReadFile extends ParseResult {
  /** References from the diagrams of the file to its elements. */
  drawn: DrawnReferences;
  namespaces: Namespaces;
  /** Number of errors beyond those in `warnings`. */
  unlisted: number;
}

/**
 * Maximum errors listed: for each one bpmn-moddle counts the lines before it, which takes milliseconds in a large file.
 */
const MAX_MISTAKES = 200;

/** Context shared by the handlers of one file. */
interface Reading {
  drawn: DrawnReferences;
  namespaces: Namespaces;
  references: ModdleReference[];
  mistakes: number;
  written: WrittenAttributes | undefined;
}

/** An error inside `element`, in the form of bpmn-moddle's `warnings`. */
export class MisplacedContent extends Error {
  readonly element: ModdleElement;

  constructor(message: string, element: ModdleElement) {
    super(message);
    this.element = element;
  }
}

/** Rejects if the root is not BPMN's `definitions`. */
export async function read(moddle: BpmnModdle, file: ReadableXml): Promise<ReadFile> {
  const reading: Reading = {
    drawn: new DrawnReferences(),
    namespaces: new Namespaces(),
    references: [],
    mistakes: 0,
    written: WrittenAttributes.of(file),
  };
  const result = await moddle.fromXML(file.text, {
    handler(this: ModdleReader, type: string) {
      const root: ModdleHandler = (Object.getPrototypeOf(this) as ModdleReader).handler.call(this, type);
      return { rootHandler: new WrappedHandler(root, reading) };
    },
  });
  return {
    ...result,
    references: reading.references,
    drawn: reading.drawn,
    namespaces: reading.namespaces,
    unlisted: Math.max(0, reading.mistakes - MAX_MISTAKES),
  };
}

/** BPMN 2.0.2 XML schema: `documentation` and `text` may contain anything, in any namespace. */
const FREE_CONTENT = new Set(['bpmn:Documentation', 'bpmn:TextAnnotation']);

const skipped: ModdleHandler = {
  handleNode: () => skipped,
  handleText: () => undefined,
  handleEnd: () => undefined,
};

class DiagramHandler implements ModdleHandler {
  readonly #drawn: DrawnReferences;

  constructor(drawn: DrawnReferences) {
    this.#drawn = drawn;
  }

  handleNode({ attributes }: ModdleNode): ModdleHandler {
    this.#drawn.note(attributes);
    return this;
  }

  handleText(): void {}

  handleEnd(): void {}
}

class WrappedHandler implements ModdleHandler {
  readonly #handler: ModdleHandler;
  readonly #reading: Reading;
  /** The element around a handler that creates none, such as those of texts and references. */
  readonly #around: ModdleElement | undefined;

  constructor(handler: ModdleHandler, reading: Reading, around?: ModdleElement) {
    this.#handler = handler;
    this.#reading = reading;
    this.#around = around;
  }

  get element(): ModdleElement | undefined {
    return this.#handler.element;
  }

  get type(): unknown {
    return this.#handler.type;
  }

  /**
   * bpmn-moddle would search for each reference among all references of the same element. Ids are resolved in
   * `document.ts` instead.
   */
  set context(context: ModdleContext) {
    context.addReference = (reference) => this.#reading.references.push(reference);
    this.#handler.context = context;
  }

  handleNode(read: ModdleNode): ModdleHandler {
    const { written, namespaces } = this.#reading;
    namespaces.note(read);
    const node = written?.restore(read) ?? read;
    const inside = this.#inside();
    if (inside?.$type === 'bpmn:Definitions' && node.name === 'bpmndi:BPMNDiagram') {
      written?.skipInside();
      return new DiagramHandler(this.#reading.drawn).handleNode(node);
    }
    const next = this.#next(node, inside);
    if (next === this.#handler) return this;
    if (!(next instanceof Error)) return new WrappedHandler(next, this.#reading, inside);
    written?.skipInside();
    if (!inside || !FREE_CONTENT.has(inside.$type)) this.#mistake(naming(node, next.message), inside);
    return skipped;
  }

  handleText(text: string): void {
    try {
      this.#handler.handleText(text);
    } catch (error) {
      this.#mistake((error as Error).message, this.#inside());
    }
  }

  handleEnd(): void {
    this.#handler.handleEnd();
  }

  /** moddle-xml does not handle elements inside plain text. */
  #next(node: ModdleNode, inside: ModdleElement | undefined): ModdleHandler | Error {
    try {
      return this.#handler.handleNode(node) ?? new Error(`unexpected element <${node.originalName}>`);
    } catch (error) {
      // Without a root there is no content to skip.
      if (!inside) throw error;
      return error as Error;
    }
  }

  #mistake(message: string, inside: ModdleElement | undefined): void {
    this.#reading.mistakes += 1;
    if (this.#reading.mistakes > MAX_MISTAKES) return;
    throw inside ? new MisplacedContent(`${message} inside ${elementName(inside)}`, inside) : new Error(message);
  }

  #inside(): ModdleElement | undefined {
    const made = this.#handler.element;
    return made && '$type' in made ? made : this.#around;
  }
}

/** bpmn-moddle omits the prefix of an element, and of a type whose prefix it does not know. */
function naming({ originalName, attributes }: ModdleNode, message: string): string {
  if (message.startsWith('unrecognized element <')) return `unrecognized element <${originalName}>`;
  const type = attributes['xsi:type'];
  return type !== undefined && message.startsWith('unknown type <')
    ? `unknown xsi:type ${JSON.stringify(type)} of <${originalName}>`
    : message;
}
