/**
 * One pass over a file: is it well-formed XML, and within the limits? It builds nothing and stops at the first problem, so
 * that a hostile file costs little. The parser is the one under bpmn-moddle, so that both read a file identically.
 *
 * There are no custom entities: a DOCTYPE is rejected. Nothing outside the text is ever read, whatever addresses it has.
 */
import { decode, Parser, type Position } from 'saxen';
import { LIMITS } from './check-text.js';
import { readable, type ReadableXml } from './readable.js';
import { isRefusal, malformed, malformedAt, orRefusal, Refused, tooLarge, type Refusal } from './refusal.js';

/** Receives the parts of a file in document order. Names are as written; references in texts and attributes are resolved. */
export interface Visitor {
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  close(): void;
  text(text: string): void;
}

/** The file for a parser, if it is well-formed, with every prefix declared, and within `LIMITS`. */
export function scan(xml: string): ReadableXml | Refusal {
  const file = readable(xml);
  if (isRefusal(file)) return file;
  return parse(new Parser().ns({ 'http://www.w3.org/XML/1998/namespace': 'xml' }), file) ?? file;
}

/** Like `scan`, but prefixes may be undeclared, and `visitor` meets every element on the way. */
export function visit(xml: string, visitor: Visitor): Refusal | undefined {
  const file = readable(xml);
  return isRefusal(file) ? file : visitReadable(file, visitor);
}

export function visitReadable(file: ReadableXml, visitor: Visitor): Refusal | undefined {
  return parse(new Parser(), file, visitor);
}

function parse(parser: Parser, { text }: ReadableXml, visitor?: Visitor): Refusal | undefined {
  let depth = 0;
  parser
    .on('openTag', (name, attributes) => {
      depth += 1;
      if (depth > LIMITS.depth)
        throw new Refused(tooLarge(`Elements are nested too deeply: the limit is ${LIMITS.depth} levels`));
      // Reading the attributes also checks them.
      const read = attributes() || {};
      visitor?.open(name, new Map(Object.entries(read).map(([key, value]) => [key, decode(value)])));
    })
    .on('closeTag', () => {
      depth -= 1;
      visitor?.close();
    })
    .on('attention', (declaration) => {
      throw new Refused(
        malformed(
          /^<!DOCTYPE/i.test(declaration)
            ? 'DOCTYPE not allowed'
            : 'The file is not well-formed XML: unknown declaration',
        ),
      );
    })
    .on('error', refuse)
    .on('warn', refuse);
  if (visitor) parser.on('text', (part) => visitor.text(decode(part))).on('cdata', (part) => visitor.text(part));
  return orRefusal(() => void parser.parse(text));
}

/** The parser reads only ASCII in these names, although XML allows letters of every language. */
function reasonOf({ message }: Error): string {
  return message.startsWith('illegal attribute name char') || message.startsWith('illegal first char attribute name')
    ? `${message}. Attributes and namespace prefixes must be spelled with ASCII letters, digits, and "_", "-", ".".`
    : message;
}

/** The parser would otherwise continue to the end of a tag and report every error in it. */
function refuse(error: Error, position: () => Position): never {
  throw new Refused(malformedAt(position(), reasonOf(error)));
}
