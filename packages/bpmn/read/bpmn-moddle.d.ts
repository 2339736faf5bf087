/** Types for the parts in use of bpmn-moddle, which ships no types. */

declare module 'bpmn-moddle' {
  /** An element that the meta-model knows, or (in extension elements) any other element. */
  export interface ModdleElement {
    readonly $type: string;
    /**
     * Attributes that the meta-model does not know, including namespace declarations; absent on elements it does not
     * know.
     */
    readonly $attrs?: { readonly [name: string]: string };
    readonly $parent?: ModdleElement;
    /** The meta-model's description of this kind of element, by property name with and without prefix; no prototype. */
    readonly $descriptor?: { readonly propertiesByName: { readonly [name: string]: unknown } };
    /** For an element that the meta-model does not know. */
    readonly $children?: readonly ModdleElement[];
    /** Text of an element that the meta-model does not know. */
    readonly $body?: string;
    readonly [property: string]: unknown;
  }

  export interface ModdleWarning {
    message: string;
    element?: ModdleElement;
    property?: string;
    /** Errors thrown by handlers. */
    error?: Error;
  }

  export interface ModdleReference {
    element: ModdleElement;
    /** With the package's prefix: `bpmn:sourceRef`. */
    property: string;
    id?: string;
  }

  export interface ParseResult {
    rootElement: ModdleElement;
    references: readonly ModdleReference[];
    warnings: readonly ModdleWarning[];
  }

  export class BpmnModdle {
    constructor(packages?: { [name: string]: unknown });
    /** @param options override members of the reader that it creates */
    fromXML(xml: string, options?: { handler(this: ModdleReader, type: string): unknown }): Promise<ParseResult>;
  }

  /** The reader of moddle-xml. */
  export interface ModdleReader {
    handler(type: string): ModdleHandler;
  }

  /** One open tag. */
  export interface ModdleNode {
    /** With the package's prefix, or as written if no package has its namespace. */
    name: string;
    originalName: string;
    attributes: { readonly [name: string]: string };
    /** The prefix that the parser gives to the namespace of a written prefix, or of `xmlns`, the default; no prototype. */
    ns: { readonly [prefix: string]: string | undefined };
  }

  /** The elements read so far. */
  export interface ModdleContext {
    addReference(reference: ModdleReference): void;
  }

  /** The handler that reads one open element. */
  export interface ModdleHandler {
    /** Absent before the open tag is read, and for handlers that create none. For a reference it is not an element. */
    readonly element?: ModdleElement | undefined;
    /** For the root. */
    readonly type?: unknown;
    context?: ModdleContext;
    /**
     * Receives the open tag of the own element first, then those of its children. Returns nothing if no child is
     * allowed.
     */
    handleNode(node: ModdleNode): ModdleHandler | undefined;
    handleText(text: string): void;
    handleEnd(): void;
  }
}
