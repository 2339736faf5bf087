/**
 * The versions of DMN. The editor reads the namespaces of 1.3 only. What it edits is the same in 1.2 to 1.5, so a file is
 * given to it with those of 1.3, and written with its own ones. The rest of later versions is kept, or
 * the file is not opened.
 */

/** The beginning of a namespace, which differs between versions. */
const VERSIONED = /https?:\/\/www\.omg\.org\/spec\/DMN\/(20180521|20191111|20211108|20230324)\/(?=(?:MODEL|DMNDI)\/)/g;
const EDITED = 'https://www.omg.org/spec/DMN/20191111/';
const OLDER = /http:\/\/www\.omg\.org\/spec\/DMN\/2015\d{4}\//;

export interface EditableFile {
  /** The file in the version that the editor reads. */
  xml: string;
  /** Writes a text of the editor in the version of the file. */
  restore(xml: string): string;
}

/** @throws Error for a version that the editor does not read, and for a file that mixes versions */
export function toEditable(xml: string): EditableFile {
  const [own = EDITED, ...others] = new Set(Array.from(xml.matchAll(VERSIONED), ([prefix]) => prefix));
  if (others.length > 0) throw new Error('The file mixes namespaces of several versions of DMN. Edit it as XML.');
  if (OLDER.test(xml)) throw new Error('The file is DMN 1.1, which has no drawing. Edit it as XML.');
  if (own === EDITED) return { xml, restore: (written) => written };
  return { xml: xml.replaceAll(own, EDITED), restore: (written) => written.replaceAll(EDITED, own) };
}
