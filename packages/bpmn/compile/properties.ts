import type { BpmnElement } from '../read/document.js';

/** Properties of Camunda 8. JSON readers drop a member named `__proto__`, or treat it as the prototype. */
export function propertiesOf(element: BpmnElement): { [name: string]: string } {
  const given = element.extension('properties')?.children('property') ?? [];
  return Object.fromEntries(
    given.flatMap((property) => {
      const name = property.attribute('name');
      return name && name !== '__proto__' ? [[name, property.attribute('value') ?? ''] as const] : [];
    }),
  );
}
