/** Random XML files, each with what it says: an oracle that knows nothing of the parser. */
import fc from 'fast-check';

/** A tag with its attributes, the end of an element, or a text. */
export type Content = { [name: string]: string } | null | string;

export interface RandomFile {
  xml: string;
  /** Texts that follow each other are one. */
  content: Content[];
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** XML 1.0 sections 2.11, 3.3.3, and 4.1 by the letter, one character after the other. */
function meaningOf(written: string, isAttribute: boolean): string {
  let meaning = '';
  for (let at = 0; at < written.length;) {
    const [unit = '', reference] = /^(?:&(.*?);|\r\n|[^])/.exec(written.slice(at))!;
    if (reference !== undefined) meaning += NAMED[reference] ?? characterOf(reference.slice(1));
    else if (/^[\r\n]/.test(unit)) meaning += isAttribute ? ' ' : '\n';
    else meaning += isAttribute && unit === '\t' ? ' ' : unit;
    at += unit.length;
  }
  return meaning;
}

/** @param number in decimal, or in hexadecimal after `x` */
function characterOf(number: string): string {
  return String.fromCodePoint(Number(number.startsWith('x') ? `0${number}` : number));
}

const WHITE = ['\r\n', '\r', '\n', '\t', ' '];
const REFERENCES = ['amp', 'lt', 'gt', 'quot', 'apos', '#10', '#13', '#9', '#65', '#xe9', '#xFFFD'];
const ASTRAL = ['#x1F600', '#x1f600', '#128512', '#x10FFFF', '#1114111', '#x0000010000'];
const PLAIN = ['&amp;#65;', '&amp;lt;', 'x', 'Q', '>', '#', ';', 'é', '😀', '\u0085', '\u2028'];
const READ = [...WHITE, ...[...REFERENCES, ...ASTRAL].map((name) => `&${name};`), ...PLAIN];
/** In comments, processing instructions, and CDATA sections. */
const UNREAD = ['&', '&#0;', '&auml;', '&#xD800;', '"', "'", '<a b="', '>', '\r\n', '\t'];

const joined = (parts: readonly string[], minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...parts), { minLength, maxLength }).map((chosen) => chosen.join(''));
const space = joined(WHITE, 1, 3);
const unread = joined(UNREAD, 0, 5);

const attribute = fc
  .tuple(space, fc.constantFrom(['"', "'"], ["'", '"']), joined(READ, 0, 8))
  .map(([before, [quote, other], value]) => ({ before, quote: quote!, written: `${value}${other!}` }));

/** The end keeps two texts from making one line end together. */
const text = joined(READ, 0, 8).map((written): RandomFile => {
  return { xml: `${written}.`, content: [`${meaningOf(written, false)}.`] };
});

const cdata = unread.map((written): RandomFile => {
  return { xml: `<![CDATA[${written}]]>`, content: [written.replace(/\r\n?/g, '\n')] };
});

const nothing = fc
  .tuple(unread, fc.constantFrom(['<!-- ', ' -->'], ['<?q ', ' ?>']))
  .map(([written, [open, close]]): RandomFile => ({ xml: `${open!}${written}${close!}`, content: [] }));

const { element } = fc.letrec<{ element: RandomFile; child: RandomFile }>((tie) => ({
  child: fc.oneof({ maxDepth: 4 }, text, cdata, nothing, tie('element')),
  element: fc
    .tuple(fc.array(attribute, { maxLength: 3 }), fc.option(space), fc.array(tie('child'), { maxLength: 4 }))
    .map(([attributes, end, children]): RandomFile => {
      const tag = attributes.map(
        ({ before, quote, written }, index) => `${before}a${index}=${quote}${written}${quote}`,
      );
      const read = attributes.map(({ written }, index) => [`a${index}`, meaningOf(written, true)] as const);
      return {
        xml: `<b${tag.join('')}${end ?? ''}>${children.map(({ xml }) => xml).join('')}</b>`,
        content: [Object.fromEntries(read), ...children.flatMap(({ content }) => content), null],
      };
    }),
}));

/** The letter `Q` is in texts and attributes only. */
export const randomFile = element.map(({ xml, content }): RandomFile => ({ xml, content: merged(content) }));

export function merged(content: readonly Content[]): Content[] {
  const all: Content[] = [];
  for (const part of content) {
    const last = all.at(-1);
    if (typeof part === 'string' && typeof last === 'string') all[all.length - 1] = `${last}${part}`;
    else if (part !== '') all.push(part);
  }
  return all;
}
