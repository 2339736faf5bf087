/** Ambiguities in the assignment of a user task by BPMN's own elements. */
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import type { BpmnElement } from '../read/document.js';
import { readRoles } from '../read/resource-roles.js';

/** Rejects resource roles of a user task that are ambiguous or contradict its `assignmentDefinition`. */
export function checkRoles(task: BpmnElement, problems: Diagnostics): void {
  const { assignment, unclear } = readRoles(task);
  for (const message of unclear) problems.error(task.id, message);
  for (const name of Object.keys(assignment)) {
    if (task.gives('assignmentDefinition', name))
      problems.error(
        task.id,
        `The ${name} of ${task.id} is given twice: by assignmentDefinition and by a BPMN resource role. Remove one of them.`,
      );
  }
}
