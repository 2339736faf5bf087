/** Timers of one instance: change when one is due, or fire it now. */
import { unwrap, type Schemas } from '@perdure/client';
import type { Command, Invocation } from '../../command.js';
import { workflowOf } from '../../execution-key.js';
import type { Host } from '../../host.js';
import { showOutcome, untilApplied } from '../../outcome.js';
import { WrongUse } from '../../wrong-use.js';
import { exampleInstance, reasonOf, reasonOption } from '../instance/target.js';

const exampleTimer = `${exampleInstance}:7`;

export const updateTimer: Command = {
  name: 'timers update',
  role: 'editor',
  operands: 'TIMER_ID DUE_AT',
  summary: 'Change when a timer is due',
  details: 'At most 366 days ahead; a time in the past is now. Later ticks of a cycle are counted from the new time.',
  examples: [`perdure timers update ${exampleTimer} 2026-12-01T09:00:00Z`],
  minOperands: 2,
  maxOperands: 2,
  options: reasonOption,
  async run(invocation) {
    const dueAt = instantOf(invocation.operands[1]!);
    const host = await invocation.host();
    const changed = await unwrap<Schemas['BpmnInstanceWait'] | Schemas['BpmnCommand']>(
      host.client.PATCH('/projects/{projectID}/bpmn/instances/{workflowID}/timers/{timerID}', {
        params: { path: timerOf(host, invocation), header: untilApplied },
        body: { dueAt, ...reasonOf(invocation) },
      }),
    );
    const pending = 'commandID' in changed ? changed : undefined;
    return showOutcome(invocation.terminal, pending, `Timer ${invocation.operands[0]} is due at ${dueAt}`);
  },
};

export const fireTimer: Command = {
  name: 'timers fire',
  role: 'editor',
  operands: 'TIMER_ID',
  summary: 'Fire a timer now',
  details:
    'perdure waits shows the timers of an instance. Each id names one tick, so a repeated command fires nothing twice.',
  examples: [`perdure timers fire ${exampleTimer} --reason 'no need to wait'`],
  minOperands: 1,
  maxOperands: 1,
  options: reasonOption,
  async run(invocation) {
    const host = await invocation.host();
    const fired = await unwrap<Schemas['BpmnCommand'] | undefined>(
      host.client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/timers/{timerID}/fire', {
        params: { path: timerOf(host, invocation), header: untilApplied },
        body: reasonOf(invocation),
      }),
    );
    return showOutcome(invocation.terminal, fired, `Timer ${invocation.operands[0]} fired`);
  },
};

function timerOf({ projectID }: Host, { operands }: Pick<Invocation, 'operands'>) {
  const timerID = operands[0]!;
  return { projectID, workflowID: workflowOf(timerID, 'perdure waits WORKFLOW_ID'), timerID };
}

/** @throws WrongUse unless the text is a date and time with an offset */
function instantOf(text: string): string {
  const hasOffset = /T[^T]*(?:Z|[+-]\d{2}:\d{2})$/i.test(text);
  if (hasOffset && !Number.isNaN(Date.parse(text))) return text;
  throw new WrongUse(`DUE_AT must be a date and time such as 2026-12-01T09:00:00Z, but is ${JSON.stringify(text)}`);
}
