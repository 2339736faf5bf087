import { printable } from '@perdure/lib/trust/printable.js';
import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { show } from '../../terminal.js';
import { wholeNumber } from '../../values.js';
import { exampleInstance, instanceOf } from './target.js';

type Evaluated = Schemas['EvaluatedBpmnExpression'];

export const evaluate: Command = {
  name: 'evaluate',
  role: 'viewer',
  operands: 'WORKFLOW_ID EXPRESSION',
  summary: 'Evaluate a FEEL expression over the variables of an instance',
  details: 'Strict, as conditions are. Changes nothing. Exits with 1 if the expression has no value.',
  examples: [
    `perdure evaluate ${exampleInstance} 'total > 100'`,
    `perdure evaluate ${exampleInstance} 'item.price' --scope 7 --at 12`,
  ],
  minOperands: 2,
  maxOperands: 2,
  options: {
    scope: {
      type: 'string',
      value: 'ID',
      help: 'the scopeID whose variables it sees, as perdure waits --output json shows it',
    },
    at: { type: 'string', value: 'NUMBER', help: 'after the fact with this number (default: the last one)' },
  },
  async run(invocation) {
    const { option, operands, terminal } = invocation;
    const at = wholeNumber(invocation, 'at', 0, 999_999_999);
    const scopeID = option('scope');
    const host = await invocation.host();
    const evaluated = await unwrap<Evaluated>(
      host.client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/evaluate', {
        params: { path: instanceOf(host, invocation) },
        body: {
          expression: operands[1]!,
          ...(scopeID !== undefined && { scopeID }),
          ...(at !== undefined && { at }),
        },
      }),
    );
    const { value, problem } = evaluated;
    show(terminal, evaluated, () => (problem ? [] : [printable(JSON.stringify(value, null, 2))]));
    if (problem) terminal.complain(printable(describe(problem)));
    return problem ? exitCodes.refused : exitCodes.done;
  },
};

function describe({ message, line, column }: NonNullable<Evaluated['problem']>): string {
  return line === undefined ? message : `Line ${line}, column ${column}: ${message}`;
}
