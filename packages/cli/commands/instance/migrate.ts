import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { showOutcome, untilApplied } from '../../outcome.js';
import { show } from '../../terminal.js';
import { readObjectFile } from '../../values.js';
import { describeIssues } from './issues.js';
import { exampleInstance, instanceOf, reasonOf, reasonOption } from './target.js';

export const migrate: Command = {
  name: 'migrate',
  role: 'editor',
  operands: 'WORKFLOW_ID FILE',
  summary: 'Migrate an instance to another version, by a JSON file',
  details:
    'The file has the body of MigrateBpmnInstance: {"targetVersion": 3, "elementMappings": [...]}. The ' +
    'host validates it first.',
  examples: [
    `perdure migrate ${exampleInstance} plan.json --dry-run`,
    `perdure migrate ${exampleInstance} plan.json --reason 'version 3 asks the right department'`,
  ],
  minOperands: 2,
  maxOperands: 2,
  options: {
    'dry-run': { type: 'boolean', help: 'list every issue that prevents the migration, and change nothing' },
    ...reasonOption,
  },
  async run(invocation) {
    const { operands, terminal } = invocation;
    const plan = await readObjectFile(operands[1]!);
    const body = { ...plan, ...reasonOf(invocation) } as Schemas['MigrateBpmnInstanceRequest'];
    const host = await invocation.host();
    const path = instanceOf(host, invocation);
    const validation = await unwrap(
      host.client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/migrate/validate', {
        params: { path },
        body,
      }),
    );
    if (invocation.flag('dry-run') || !validation.valid) {
      show(terminal, validation, () => describeIssues(validation.issues, operands[1]!));
      return validation.valid ? exitCodes.done : exitCodes.refused;
    }
    const migrated = await unwrap(
      host.client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/migrate', {
        params: { path, header: untilApplied },
        body,
      }),
    );
    return showOutcome(terminal, migrated, `Instance ${path.workflowID} migrated to version ${body.targetVersion}`);
  },
};
