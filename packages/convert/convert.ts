/** Converts a BPMN file of another engine to the dialect that Perdure runs. */
import { declaredAsUtf8 } from '@perdure/lib/model-files/declaration.js';
import { readable } from '@perdure/xml/readable.js';
import { isRefusal } from '@perdure/xml/refusal.js';
import { Context, type Job } from './context.js';
import { isOwnDialect } from './foreign.js';
import { BPMN } from '@perdure/lib/model-files/namespaces.js';
import type { Finding } from './report.js';
import { platform } from './rules/platform.js';
import { rules } from './rules/index.js';
import { allElements, parseXml, serializeXml, UnreadableFile } from './xml/document.js';

export interface Conversion {
  /** The converted file; the given text if there was nothing to convert. */
  xml: string;
  findings: Finding[];
  /** Number of findings beyond those in `findings`. */
  unlistedFindings: number;
  /** The tasks that job workers have to perform, in document order. */
  jobs: Job[];
}

/**
 * Pure. Layout, ids, comments, and everything that is not converted stay. A file in Perdure's own dialect is returned as
 * it is, and so is one in which there is nothing to convert, except that all declare UTF-8.
 * @throws UnreadableFile
 */
export function convertModel(text: string): Conversion {
  // Not `scan`: its parser refuses `name = "..."`, which is XML, and the converted file has no such spaces.
  const checked = readable(text);
  if (isRefusal(checked)) throw new UnreadableFile(checked.message);
  const xml = declaredAsUtf8(text);
  const document = parseXml(xml);
  const root = document.documentElement!;
  const unchanged: Conversion = { xml, findings: [], unlistedFindings: 0, jobs: [] };
  if (root.namespaceURI !== BPMN || isOwnDialect(root)) return unchanged;
  const before = serializeXml(document);
  const context = new Context(document);
  for (const rule of rules) for (const element of allElements(root)) rule(element, context);
  const { findings, unlisted } = context.finish();
  if (serializeXml(document) === before) return { ...unchanged, findings, unlistedFindings: unlisted };
  platform(context);
  return { xml: serializeXml(document), findings, unlistedFindings: unlisted, jobs: context.jobs };
}

/** A conversion, or the reason why the file cannot be read. */
export type Attempt = Conversion | { unreadable: string };

/** Like `convertModel`, for callers in another thread, which errors do not reach. */
export function tryToConvert(xml: string): Attempt {
  try {
    return convertModel(xml);
  } catch (error) {
    if (error instanceof UnreadableFile) return { unreadable: error.message };
    throw error;
  }
}
