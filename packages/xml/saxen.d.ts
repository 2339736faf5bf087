/** Types for the parts in use of saxen, which ships no types for its entry point. */

declare module 'saxen' {
  export interface Position {
    /** Both count from 0. */
    line: number;
    column: number;
  }
  export type Attributes = { readonly [name: string]: string };

  export class Parser {
    /** Enables namespaces. @param prefixes declared from the start, by namespace */
    ns(prefixes: { readonly [namespace: string]: string }): this;
    on(
      event: 'openTag',
      listener: (
        name: string,
        attributes: () => Attributes | false,
        decode: unknown,
        selfClosing: boolean,
        position: () => Position,
      ) => void,
    ): this;
    on(event: 'closeTag', listener: () => void): this;
    on(event: 'attention' | 'text' | 'cdata', listener: (text: string) => void): this;
    on(event: 'error' | 'warn', listener: (error: Error, position: () => Position) => void): this;
    parse(xml: string): void;
  }

  /** Resolves character references and the five entities of XML. */
  export function decode(text: string): string;
}
