/** Types that reading DMN files needs from the XML parser, in addition to those in `packages/bpmn/read/libraries.d.ts`. */
declare module 'saxen' {
  interface Parser {
    on(event: 'text', listener: (text: string) => void): this;
    on(event: 'cdata', listener: (text: string) => void): this;
  }

  /** Resolves character references and the five entities of XML. */
  export function decode(text: string): string;
}
