import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { wholeNumber } from '../../values.js';
import { counted, show, table } from '../../terminal.js';

type Wait = Schemas['BpmnInstanceWait'];

export const waits: Command = {
  name: 'waits',
  role: 'viewer',
  operands: 'WORKFLOW_ID',
  summary: 'Show what an instance waits for',
  details: 'Longest first. An instance that has ended waits for nothing.',
  examples: ['perdure waits 9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11'],
  minOperands: 1,
  maxOperands: 1,
  options: {
    page: { type: 'string', value: 'NUMBER', help: 'page number, from 1' },
    'page-size': { type: 'string', value: 'NUMBER', help: 'waits per page, 1 to 100 (default 20)' },
  },
  async run(invocation) {
    const { terminal, operands } = invocation;
    const query = {
      page: wholeNumber(invocation, 'page', 1, 999_999_999),
      pageSize: wholeNumber(invocation, 'page-size', 1, 100),
    };
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['BpmnInstanceWaitPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/waits', {
        params: { path: { projectID, workflowID: operands[0]! }, query },
      }),
    );
    const { page, totalPages, total } = answer.pagination;
    show(terminal, answer, () => [
      ...table(
        ['SINCE', 'KIND', 'NODE', 'WAITS FOR'],
        answer.data.map((one) => [one.since, one.kind, one.nodeID, describe[one.kind](one)]),
      ),
      `${counted(total, 'wait')}, page ${page} of ${Math.max(totalPages, 1)}`,
    ]);
    return exitCodes.done;
  },
};

const describe: { [K in Wait['kind']]: (wait: Wait) => string } = {
  begin: ({ heldBy }) => (heldBy === undefined ? 'its turn, or a resume' : 'a place of its process'),
  job: (wait) => `job ${wait.executionKey} of type ${wait.taskType}, ${stateOf(wait)}`,
  userTask: ({ executionKey, assignee }) =>
    `user task ${executionKey}, ${assignee === undefined ? 'not assigned' : `assigned to ${assignee}`}`,
  timer: ({ dueAt, repeats, timerID }) =>
    `timer ${timerID}, due ${dueAt}${repeats === undefined ? '' : `, ${counted(repeats, 'tick')} left`}`,
  message: (wait) => `message ${subscriptionOf(wait)}`,
  signal: (wait) => `signal ${subscriptionOf(wait)}`,
  condition: ({ expression }) => `condition ${expression ?? ''}`,
  call: ({ workflowID }) => `instance ${workflowID}`,
  decision: () => 'the result of a decision',
  join: ({ missingFlows = [] }) => `sequence flows ${missingFlows.join(', ')}`,
  adHoc: () => 'a request that starts an element inside',
  incident: ({ errorType, incidentID }) => `the resolution of incident ${incidentID} (${errorType})`,
};

const limits: { readonly [Held in NonNullable<Wait['heldBy']>]: string } = {
  CONCURRENCY: 'held back by the limit of jobs at once',
  RATE: 'held back by the rate of its type',
};

function stateOf({ heldBy, lockedBy, execution }: Wait): string {
  if (execution !== undefined) return `running on Temporal as ${execution.workflowID}`;
  if (heldBy !== undefined) return limits[heldBy];
  return lockedBy === undefined ? 'not leased' : `leased by ${lockedBy}`;
}

function subscriptionOf({ name, correlationKeys, keptUnmatched = 0 }: Wait): string {
  const key = correlationKeys === undefined ? '' : ` with the key ${JSON.stringify(correlationKeys)}`;
  const kept = keptUnmatched === 0 ? '' : `; ${counted(keptUnmatched, 'kept message')} of this name with another key`;
  return `${JSON.stringify(name)}${key}${kept}`;
}
