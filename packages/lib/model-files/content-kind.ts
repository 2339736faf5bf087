/** The kind of a model file by its content, for texts that have any name. */
import type { ModelKind } from './kind.js';

/** Content that may come before the first element. */
const PROLOG = /\uFEFF|\s+|<\?[^]*?\?>|<!--[^]*?-->/y;

const FIRST_TAG = /<(?:([\w.-]+):)?[\w.-]+(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*)?\/?>/y;

const DMN = /^https?:\/\/www\.omg\.org\/spec\/DMN\//i;

/** @returns undefined for a text that is neither XML nor a JSON object */
export function contentKind(text: string): Exclude<ModelKind, 'TEMPLATE'> | undefined {
  const start = afterProlog(text);
  if (text[start] === '{') return 'FORM';
  FIRST_TAG.lastIndex = start;
  const tag = FIRST_TAG.exec(text);
  if (tag === null) return undefined;
  return DMN.test(namespaceIn(tag[0], tag[1])) ? 'DMN' : 'BPMN';
}

function afterProlog(text: string): number {
  let end = 0;
  do {
    PROLOG.lastIndex = end;
    end = PROLOG.test(text) ? PROLOG.lastIndex : end;
  } while (PROLOG.lastIndex > 0);
  return end;
}

/** The namespace that a tag declares for its own prefix. */
function namespaceIn(tag: string, prefix: string | undefined): string {
  const wanted = prefix === undefined ? 'xmlns' : `xmlns:${prefix}`;
  for (const [, name, double, single] of tag.matchAll(/\s([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    if (name === wanted) return double ?? single ?? '';
  return '';
}
