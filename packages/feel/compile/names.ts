/** Names and paths. */
import { builtinValue } from '../builtins/index.js';
import { propertyOf } from '../values/properties.js';
import type { Cell } from '../run.js';
import type { NameNode } from '../tree.js';
import { entryOf, isContext, type FeelValue } from '../values/values.js';
import type { Code, NodeCompiler } from './compiler.js';

function cellAt(cell: Cell | null, up: number): Cell {
  let found = cell;
  for (let step = 0; step < up; step++) found = (found as Cell).up;
  return found as Cell;
}

/** Looks up the name; the code returns `undefined` if it does not exist. */
function resolver(node: NameNode): (...args: Parameters<Code>) => FeelValue | undefined {
  const { name } = node;
  const outer = outerResolver(node);
  const { items } = node;
  if (items === undefined) return outer;
  // From each filter to the enclosing one, so that the cells are traversed once, however many filters there are.
  const distances = items.map((up, index) => up - (items[index - 1] ?? 0));
  return (run, cell) => {
    let at = cell;
    for (const distance of distances) {
      at = cellAt(at, distance);
      const item = at.value;
      if (!isContext(item)) continue;
      const entry = entryOf(item, name);
      if (entry !== undefined) return entry;
    }
    return outer(run, cell);
  };
}

function outerResolver({ name, cell: up, builtin }: NameNode): (...args: Parameters<Code>) => FeelValue | undefined {
  if (up === 0) return (_run, cell) => (cell as Cell).value;
  if (up !== undefined) return (_run, cell) => cellAt(cell, up).value;
  if (builtin !== true) return (run) => run.variable(name);
  return (run) => {
    const value = run.variable(name);
    return value !== undefined ? value : builtinValue(name);
  };
}

export const name: NodeCompiler<'name'> = (node) => {
  const resolve = resolver(node);
  return (run, cell) => {
    const value = resolve(run, cell);
    if (value !== undefined) return value;
    return run.fail(node.at, 'UNRESOLVED_VARIABLE', `There is no variable named "${node.name}" here.`);
  };
};

/** A name before an argument list; `undefined` if it does not exist. */
export const calleeName = resolver;

export const member: NodeCompiler<'member'> = ({ target, name: key, at }, compile) => {
  const code = compile(target);
  return (run, cell) => {
    const value = code(run, cell);
    if (isContext(value)) {
      const entry = entryOf(value, key);
      return entry !== undefined ? entry : run.fail(at, 'UNRESOLVED_ENTRY', `The context has no entry named "${key}".`);
    }
    return propertyOf(run, at, value, key);
  };
};
