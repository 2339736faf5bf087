/** BPMN files with forms that are their own files. */
import { element, endEvent, extensions, processModel, startEvent, tag, task, userTask } from '@perdure/testkit/models';
import { shape, withDiagram } from './files.js';

const approvalForm = {
  type: 'default',
  id: 'approval',
  schemaVersion: 16,
  components: [
    { type: 'checkbox', id: 'Field_approved', key: 'approved', label: 'Approved' },
    { type: 'textfield', id: 'Field_note', key: 'note', label: 'Note', validate: { required: true } },
    {
      type: 'dynamiclist',
      id: 'List_lines',
      path: 'lines',
      label: 'Lines',
      defaultRepetitions: 2,
      components: [{ type: 'textfield', id: 'Field_sku', key: 'sku', label: 'Article' }],
    },
  ],
};

/** A task that a deployed form belongs to, for candidates of whom one is the viewer, and the form. */
export const filesWithLinkedForm = {
  'approval.bpmn': withDiagram(
    processModel(
      'approval',
      [
        startEvent('Start'),
        task('Price', { name: 'Determine the price' }),
        element('userTask', { id: 'Approve', name: 'Approve the order' }, [
          element('documentation', {}, 'Orders above 1000 need a second look.'),
          extensions([
            tag('zeebe:userTask', {}),
            tag('zeebe:assignmentDefinition', { candidateUsers: 'viewer' }),
            tag('zeebe:formDefinition', { formId: 'approval' }),
            tag('zeebe:taskSchedule', { dueDate: 'P3D' }),
          ]),
        ]),
        endEvent('End'),
      ],
      'Start -> Price -> Approve -> End',
    ),
    'approval',
    [shape('Start', 0, 0), shape('Price', 150, 0), shape('Approve', 300, 0), shape('End', 450, 0)],
  ),
  'approval.form': JSON.stringify(approvalForm),
};

/** A process whose start event has a deployed form, and the form. */
export const filesWithStartForm = startFormFiles('order', [
  { type: 'textfield', id: 'Field_article', key: 'article', label: 'Article', validate: { required: true } },
  { type: 'number', id: 'Field_amount', key: 'amount', label: 'Amount', validate: { min: 1 } },
]);

/** Process and form have the same id. */
export function startFormFiles(id: string, components: readonly object[]) {
  return {
    [`${id}.bpmn`]: processModel(
      id,
      [
        element(
          'startEvent',
          { id: 'Start' },
          extensions(tag('zeebe:formDefinition', { formId: id, bindingType: 'deployment' })),
        ),
        userTask('Check', { name: 'Check the order' }),
      ],
      'Start -> Check',
    ),
    [`${id}.form`]: JSON.stringify({ type: 'default', id, schemaVersion: 16, components }),
  };
}

/** A process whose only task has a deployed form with these components. */
export function taskFormFiles(components: readonly object[]) {
  return {
    'values.bpmn': processModel(
      'values',
      [
        startEvent('Start'),
        element('userTask', { id: 'Look', name: 'Look at it' }, [
          extensions([tag('zeebe:userTask', {}), tag('zeebe:formDefinition', { formId: 'values' })]),
        ]),
        endEvent('End'),
      ],
      'Start -> Look -> End',
    ),
    'values.form': JSON.stringify({ type: 'default', id: 'values', schemaVersion: 16, components }),
  };
}
