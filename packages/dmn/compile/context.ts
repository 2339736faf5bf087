/** Context of all compilers of value expressions. */
import type { Type } from '../model.js';
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { nearestID, type XmlElement } from '../xml/element.js';
import type { ExpressionReader } from './expressions.js';
import type { DmnFile } from './file.js';
import type { TypeCompiler } from './types.js';

export interface LogicContext {
  file: DmnFile;
  problems: Diagnostics;
  expressions: ExpressionReader;
  types: TypeCompiler;
}

/** Id and type that every value expression may have. */
export function commonOf({ file, types }: LogicContext, element: XmlElement): { id?: string; type?: Type } {
  const id = nearestID(element);
  const type = types.typeOf(file, element);
  return { ...(id !== undefined && { id }), ...(type && { type }) };
}

/** The name and type of a `variable`, `column`, `parameter` and so on. */
export function variableOf({ file, types }: LogicContext, element: XmlElement): { name: string; type?: Type } {
  const type = types.typeOf(file, element);
  return { name: element.attributes.get('name') ?? '', ...(type && { type }) };
}
