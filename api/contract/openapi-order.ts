import type { DeclaredOperation } from './operation.js';

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Operations sorted by path and method, so that the document does not depend on the order of the list. */
export function canonicalOrder(operations: readonly DeclaredOperation[]): DeclaredOperation[] {
  return [...operations].sort((a, b) =>
    a.path === b.path ? methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method) : a.path < b.path ? -1 : 1,
  );
}

/** The noun of an operation: the collection inside a project, `projects` itself, or `system`. */
export function tagOf(operation: DeclaredOperation): string {
  const [first = '', , family, noun] = operation.path.slice(1).split('/');
  if (first !== 'projects') return operation.role === 'public' ? 'system' : first;
  if (family === 'bpmn' || family === 'dmn') return noun === undefined ? family : `${family} ${noun}`;
  return family ?? 'projects';
}
