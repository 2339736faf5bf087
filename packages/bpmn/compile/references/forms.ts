/** Forms that a process brings along: the link of its start form, and those embedded in the file. */
import { compileBinding } from '@perdure/engine/behaviors/data/binding.js';
import { embeddedFormID, type FormLink, type FormsOfProcess } from '@perdure/engine/model/forms.js';
import type { Node } from '@perdure/engine/model/graph.js';
import { readForm } from '@perdure/forms/read-form.js';
import { approvalForm } from '../ad-hoc/approvals.js';
import type { BpmnElement } from '../../read/document.js';
import type { ModelCompiler } from '../compiler.js';

/** @param start the none start event, if the process has one */
export function formsOf(
  process: BpmnElement,
  start: BpmnElement | undefined,
  nodes: readonly Node[],
  compiler: ModelCompiler,
): FormsOfProcess | undefined {
  const link = start && linkOf(start, compiler);
  const embedded = { ...embeddedForms(process, compiler), ...approvalForm(nodes) };
  if (!link && Object.keys(embedded).length === 0) return undefined;
  return { ...(link && { start: link }), ...(Object.keys(embedded).length > 0 && { embedded }) };
}

function linkOf(start: BpmnElement, compiler: ModelCompiler): FormLink | undefined {
  const form = start.extension('formDefinition');
  const formID = form?.attribute('formId');
  const embedded = embeddedFormID(form?.attribute('formKey') ?? '');
  if (embedded !== undefined) return { embedded };
  if (!formID) {
    const other = form?.attribute('formKey') ?? form?.attribute('externalReference');
    if (other !== undefined)
      compiler.problem(
        'warning',
        start,
        `Start event ${start.id} has no start form: ${JSON.stringify(other)} is neither a formId nor an embedded form. Only user tasks refer to forms elsewhere (formKey, externalReference).`,
      );
    return undefined;
  }
  if (!formID.startsWith('=')) return { formID, binding: compileBinding(form, start, compiler) };
  compiler.problem(
    'warning',
    start,
    `The form id of start event ${start.id} must be a text, because no variables exist before the start, but is an expression: ${JSON.stringify(formID)}. The process has no start form.`,
  );
  return undefined;
}

function embeddedForms(process: BpmnElement, compiler: ModelCompiler): { [id: string]: string } {
  const forms = process.extensions().filter(({ name }) => name === 'userTaskForm');
  const ids = new Set<string | undefined>();
  return Object.fromEntries(
    forms.flatMap((form) => {
      const id = form.attribute('id');
      if (id && ids.has(id))
        compiler.problem('error', process, `Two embedded forms have the id ${JSON.stringify(id)}. Rename one of them.`);
      ids.add(id);
      const problem = id ? problemOf(form.text) : 'the element needs an id';
      if (problem !== undefined)
        compiler.problem('warning', process, `Embedded form ${JSON.stringify(id ?? '')} is not shown: ${problem}`);
      return problem === undefined ? [[id!, form.text]] : [];
    }),
  );
}

function problemOf(text: string): string | undefined {
  const reading = readForm(text, { isEmbedded: true });
  return reading.ok ? undefined : reading.problems[0]?.message;
}
