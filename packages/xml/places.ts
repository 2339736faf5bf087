/** Positions of elements in the text of a file, for authors who have it open in an editor. */
import { Parser } from 'saxen';

/** Both from 1. */
interface Place {
  line: number;
  column: number;
}

/**
 * The tags of elements by element id. Elements after an XML error are missing.
 * @param wanted ids to look for; the parser counts the lines before each
 */
export function placesOf(xml: string, wanted: ReadonlySet<string>): Map<string, Place> {
  const places = new Map<string, Place>();
  const parser = new Parser();
  parser
    .on('openTag', (_name, attributes, _decode, _selfClosing, position) => {
      const read = attributes();
      const id = read ? read['id'] : undefined;
      if (id === undefined || !wanted.has(id) || places.has(id)) return;
      const { line, column } = position();
      places.set(id, { line: line + 1, column: column + 1 });
    })
    .on('error', () => undefined)
    .on('warn', () => undefined);
  parser.parse(xml);
  return places;
}
