/** The parts we use of two libraries that ship no types for their entry point. */

declare module 'bpmn-moddle' {
  /** An element that the meta-model knows, or (in extension elements) any other. */
  export interface ModdleElement {
    readonly $type: string;
    /** Attributes that the meta-model does not know, namespace declarations included; absent on elements it does not know. */
    readonly $attrs?: { readonly [name: string]: string };
    readonly $parent?: ModdleElement;
    /** What the meta-model says about this kind of element, by property name with and without prefix; no prototype. */
    readonly $descriptor?: { readonly propertiesByName: { readonly [name: string]: unknown } };
    /** Of an element that the meta-model does not know. */
    readonly $children?: readonly ModdleElement[];
    /** Text of an element that the meta-model does not know. */
    readonly $body?: string;
    readonly [property: string]: unknown;
  }

  export interface ModdleWarning {
    message: string;
    element?: ModdleElement;
    property?: string;
    /** What a handler has thrown. */
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
    /** @param options replace members of the reader that it makes */
    fromXML(xml: string, options?: { handler(this: ModdleReader, type: string): unknown }): Promise<ParseResult>;
  }

  /** Of moddle-xml. */
  export interface ModdleReader {
    handler(type: string): ModdleHandler;
  }

  /** One open tag. */
  export interface ModdleNode {
    /** With the package's prefix, or as written where no package has its namespace. */
    name: string;
    originalName: string;
    attributes: { readonly [name: string]: string };
  }

  /** What has been read so far. */
  export interface ModdleContext {
    addReference(reference: ModdleReference): void;
  }

  /** What reads one open element. */
  export interface ModdleHandler {
    /** Absent before the open tag was read, and where none is made. Of a reference it is no element. */
    readonly element?: ModdleElement | undefined;
    /** Of the root. */
    readonly type?: unknown;
    context?: ModdleContext;
    /** The open tag of its own element first, then those of its children. Nothing where no child can be. */
    handleNode(node: ModdleNode): ModdleHandler | undefined;
    handleText(text: string): void;
    handleEnd(): void;
  }
}

declare module 'saxen' {
  export interface Position {
    /** Both count from 0. */
    line: number;
    column: number;
  }
  export type Attributes = { readonly [name: string]: string };

  export class Parser {
    /** Makes it heed namespaces. @param prefixes declared from the start, by namespace */
    ns(prefixes: { readonly [namespace: string]: string }): this;
    on(event: 'openTag', listener: (name: string, attributes: () => Attributes | false, decode: unknown, selfClosing: boolean, position: () => Position) => void): this;
    on(event: 'closeTag', listener: () => void): this;
    on(event: 'attention', listener: (text: string) => void): this;
    on(event: 'error' | 'warn', listener: (error: Error, position: () => Position) => void): this;
    parse(xml: string): void;
  }
}
