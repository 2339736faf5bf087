/** What reading DMN files needs of the XML parser beside what `bpmn/libraries.d.ts` declares. */
declare module 'saxen' {
  interface Parser {
    on(event: 'text', listener: (text: string) => void): this;
    on(event: 'cdata', listener: (text: string) => void): this;
  }

  /** Resolves character references and the five entities of XML. */
  export function decode(text: string): string;
}
