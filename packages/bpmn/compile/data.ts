/** Data objects: BPMN 2.0.2 section 10.4.1. One with an initial value is a variable of its scope. */
import type { DataObject, ScopeBase } from '@perdure/engine/model/graph.js';
import type { ModelCompiler } from './compiler.js';
import type { BpmnElement } from '../read/document.js';
import { isVariableName } from '../check/variable-name.js';

/**
 * Data objects directly inside `scope` that have a value: extension element `value`, or `dataObject` with an attribute
 * of that name.
 */
export function dataOf(scope: BpmnElement, compiler: ModelCompiler): Pick<ScopeBase, 'data'> {
  const data = scope
    .children('flowElements')
    .filter(({ type }) => type === 'dataObject')
    .flatMap((object) => compileObject(object, compiler));
  return data.length > 0 ? { data } : {};
}

function compileObject(object: BpmnElement, compiler: ModelCompiler): DataObject[] {
  const extension = object.extension('value') ?? object.extension('dataObject');
  const given = extension?.attribute('value') ?? extension?.text;
  if (!given) return [];
  const name = object.name ?? object.id;
  if (!isVariableName(name))
    compiler.problem(
      'error',
      object,
      `Data object ${object.id} has a value, so its name must be a variable name, but is ${JSON.stringify(name)}`,
    );
  return [{ name, value: compiler.value(object, given, `value of data object ${name}`) }];
}
