/**
 * Reads XML within limits and without custom entities: a DOCTYPE is rejected. Nothing outside the text is ever read,
 * whatever addresses it contains.
 */
import { decode, Parser } from 'saxen';
import { lostCharacters } from '@perdure/lib/model-files/declaration.js';
import { namespaceOf, type XmlElement } from './element.js';

/** All far above real models. */
export const LIMITS = {
  /** UTF-8 bytes. */
  fileBytes: 4 * 1024 * 1024,
  elements: 100_000,
  /** Nesting depth of elements. */
  depth: 128,
} as const;

export interface Refusal {
  reason: 'TOO_LARGE' | 'MALFORMED';
  message: string;
}

interface Position {
  line: number;
  column: number;
}

/**
 * The root element, or why the text is not read. Only elements of the root's own namespace and version tags are kept.
 */
export function readXml(text: string): XmlElement | Refusal {
  const refusal = checkText(text);
  if (refusal !== undefined) return refusal;
  const reader = new Reader();
  try {
    reader.read(text);
  } catch (thrown) {
    if (thrown instanceof Refused) return thrown.refusal;
    throw thrown;
  }
  return reader.root ?? malformed('The file has no elements');
}

/** Whether `readXml` rejected the text. */
export function isRefusal(result: XmlElement | Refusal): result is Refusal {
  return 'reason' in result;
}

function checkText(text: string): Refusal | undefined {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > LIMITS.fileBytes) return tooLarge(`The file has ${bytes} bytes, but the limit is ${LIMITS.fileBytes}`);
  const illegal = ILLEGAL_CHARACTER.exec(text);
  if (illegal === null) return lostIn(text);
  const code = illegal[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return malformed(`Character U+${code} at offset ${illegal.index} is not allowed in XML`);
}

function lostIn(text: string): Refusal | undefined {
  const lost = lostCharacters(text);
  return lost?.certain ? malformed(lost.message) : undefined;
}

/** XML 1.0 section 2.2, except surrogates: a lone one cannot be stored. */
const ILLEGAL_CHARACTER =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Thrown to leave the parser, which would otherwise continue. */
class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

class Reader {
  root: XmlElement | undefined;
  #current: XmlElement | undefined;
  #elements = 0;
  #depth = 0;
  /** Depth of the outermost dropped element, while inside it. */
  #skipped: number | undefined;

  read(text: string): void {
    new Parser()
      .on('openTag', (name, attributes) => this.#open(name, attributes() || {}))
      .on('closeTag', () => this.#close())
      .on('text', (value) => this.#text(decode(value)))
      .on('cdata', (value) => this.#text(value))
      .on('attention', (value) => {
        throw new Refused(
          malformed(
            /^<!DOCTYPE/i.test(value) ? 'DOCTYPE not allowed' : 'The file is not well-formed XML: unknown declaration',
          ),
        );
      })
      .on('error', refuse)
      .on('warn', refuse)
      .parse(text);
  }

  #open(qualifiedName: string, raw: { readonly [name: string]: string }): void {
    this.#depth += 1;
    this.#elements += 1;
    if (this.#depth > LIMITS.depth)
      throw new Refused(tooLarge(`Elements are nested too deeply: the limit is ${LIMITS.depth} levels`));
    if (this.#elements > LIMITS.elements)
      throw new Refused(tooLarge(`The file has more than ${LIMITS.elements} elements`));
    if (this.#skipped !== undefined) return;
    const element = this.#element(qualifiedName, raw);
    if (this.root !== undefined && element.namespace !== this.root.namespace && !isVersionTag(element)) {
      this.#skipped = this.#depth;
      return;
    }
    element.parent?.children.push(element);
    this.root ??= element;
    this.#current = element;
  }

  #element(qualifiedName: string, raw: { readonly [name: string]: string }): XmlElement {
    const attributes = new Map<string, string>();
    const declared = new Map<string, string>();
    for (const key of Object.keys(raw)) {
      const value = decode(raw[key] as string);
      if (key === 'xmlns') declared.set('', value);
      else if (key.startsWith('xmlns:')) declared.set(key.slice(6), value);
      else attributes.set(key, value);
    }
    const colon = qualifiedName.indexOf(':');
    const prefix = colon < 0 ? '' : qualifiedName.slice(0, colon);
    const parent = this.#current;
    const namespace = declared.get(prefix) ?? (parent && namespaceOf(parent, prefix)) ?? '';
    const name = qualifiedName.slice(colon + 1);
    return {
      name,
      namespace,
      attributes,
      children: [],
      text: '',
      ...(parent && { parent }),
      ...(declared.size > 0 && { declared }),
    };
  }

  #close(): void {
    if (this.#skipped === undefined) this.#current = this.#current?.parent;
    else if (this.#skipped === this.#depth) this.#skipped = undefined;
    this.#depth -= 1;
  }

  #text(value: string): void {
    if (this.#skipped === undefined && this.#current !== undefined) this.#current.text += value;
  }
}

/** The only supported vendor extension. */
function isVersionTag({ name, parent }: XmlElement): boolean {
  return name === 'versionTag' && parent?.name === 'extensionElements';
}

function refuse(error: Error, position: () => Position): never {
  const { line, column } = position();
  throw new Refused(
    malformed(`The file is not well-formed XML at line ${line + 1}, column ${column + 1}: ${error.message}`),
  );
}

function tooLarge(message: string): Refusal {
  return { reason: 'TOO_LARGE', message };
}

function malformed(message: string): Refusal {
  return { reason: 'MALFORMED', message };
}
