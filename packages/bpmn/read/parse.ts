/**
 * Parses XML to elements. Warnings of bpmn-moddle are errors here, because nothing that it skipped may be missing at
 * runtime.
 */
import type { ModdleElement, ModdleWarning } from 'bpmn-moddle';
import { BPMN } from '@perdure/lib/model-files/namespaces.js';
import { BpmnDocument } from './document.js';
import { newModdle } from './meta-model.js';
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import type { ReadableXml } from '@perdure/xml/readable.js';
import { MisplacedContent, read, type ReadFile } from './reader.js';

const moddle = newModdle();

/** Reads a well-formed file; undefined (and a problem) if it is not a BPMN file at all. */
export async function parse(file: ReadableXml, problems: Diagnostics): Promise<BpmnDocument | undefined> {
  let result: ReadFile;
  try {
    result = await read(moddle, file);
  } catch (error) {
    problems.error(
      undefined,
      `The file is not a BPMN file: its root must be definitions in namespace ${BPMN} (${readable((error as Error).message)})`,
    );
    return undefined;
  }
  for (const warning of result.warnings) reportWarning(warning, problems);
  if (result.unlisted > 0) problems.error(undefined, `${result.unlisted} more errors in the XML are not listed`);
  return new BpmnDocument(result, problems);
}

/** The text has been decoded. Whether that lost characters is checked before: see `scan`. */
const NOT_A_PROBLEM = 'unsupported document encoding <';

function reportWarning({ message, element, error }: ModdleWarning, problems: Diagnostics): void {
  if (message.startsWith(NOT_A_PROBLEM)) return;
  const at = error instanceof MisplacedContent ? error.element : element;
  problems.error(at && nearestID(at), readable(message));
}

function nearestID(element: ModdleElement): string | undefined {
  for (let around: ModdleElement | undefined = element; around; around = around.$parent) {
    if (typeof around['id'] === 'string') return around['id'];
  }
  return undefined;
}

/** bpmn-moddle reports line and column, both from 0, on separate lines. */
function readable(message: string): string {
  const parts = /\n\tline: (\d+)\n\tcolumn: (\d+)\n\tnested error: ([^]*)$/.exec(message);
  return parts ? `Line ${Number(parts[1]) + 1}, column ${Number(parts[2]) + 1}: ${parts[3]}` : message;
}
