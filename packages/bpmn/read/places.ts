/** Positions of elements in the text of a file, for authors who have it open in an editor. */
import { Parser, type Position } from 'saxen';

/**
 * Line and column of the tags of elements, both from 1, by element id. Elements after an XML error are missing.
 * @param wanted ids to look for; the parser counts the lines before each
 */
export function placesOf(xml: string, wanted: ReadonlySet<string>): Map<string, Position> {
  const places = new Map<string, Position>();
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
