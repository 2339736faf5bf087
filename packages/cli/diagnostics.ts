/** Diagnostics of a model, each with its location in the file. */
import { printable } from '@perdure/lib/trust/printable.js';
import { placesOf } from '@perdure/xml/places.js';

export interface Diagnostic {
  severity: 'error' | 'warning';
  elementID?: string;
  message: string;
}

export interface LocatedDiagnostic extends Diagnostic {
  file: string;
  /** Both from 1. A problem of the whole file has the location in its text, otherwise the beginning of the file. */
  line: number;
  column: number;
}

export function locateDiagnostics(file: string, xml: string, problems: readonly Diagnostic[]): LocatedDiagnostic[] {
  if (problems.length === 0) return [];
  const places = placesOf(xml, new Set(problems.flatMap(({ elementID }) => elementID ?? [])));
  return problems.map((problem) => ({ file, ...placeOf(problem, places), ...problem }));
}

/** A mistake in the XML is at the location that its message begins with, within the element that it names. */
function placeOf(
  { elementID, message }: Diagnostic,
  places: ReturnType<typeof placesOf>,
): { line: number; column: number } {
  const ofElement = message.startsWith('Line ') ? undefined : places.get(elementID ?? '');
  return ofElement ?? placeInMessage(message);
}

/** `order.bpmn:17:5: error at Pay: ...`, which editors and terminals turn into a link. */
export function describeProblem({ file, line, column, severity, elementID, message }: LocatedDiagnostic): string {
  return printable(
    `${file}:${line}:${column}: ${severity}${elementID === undefined ? '' : ` at ${elementID}`}: ${message}`,
  );
}

function placeInMessage(message: string): { line: number; column: number } {
  const [, line = 1, column = 1] = /\bline (\d+), column (\d+)/i.exec(message) ?? [];
  return { line: Number(line), column: Number(column) };
}
