import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command, type Invocation } from '../../command.js';
import { definitionOf, type Host } from '../../host.js';
import { showJson } from '../../terminal.js';
import { readText, someOf, wholeNumber } from '../../values.js';
import { reasonOf, reasonOption } from '../instance/target.js';
import { linesOf, markdownOf } from './report.js';
import { sumsOf, untilEnded, type Backtest, type Outcome } from './shared.js';

const failures = ['otherPath', 'otherResult', 'incident', 'unanswered'] as const;

export const backtest: Command = {
  name: 'backtest',
  role: 'editor',
  operands: 'FILE|DEFINITION',
  summary: 'Play ended instances against a file or a deployed version',
  details:
    'Shows what the version would have done otherwise. FILE is a BPMN file that need not be deployed; DEFINITION is the id ' +
    'of a process, whose newest version counts, or of a version. Ctrl-C leaves the backtest running.',
  examples: [
    'perdure backtest order.bpmn',
    'perdure backtest order.bpmn --newest 5000 --fail-on otherPath,incident',
    'perdure backtest order.bpmn --markdown > comment.md',
    'perdure backtest order',
  ],
  minOperands: 1,
  maxOperands: 1,
  options: {
    newest: { type: 'string', value: 'NUMBER', help: 'the maximum number of instances (default: 1000)' },
    'fail-on': {
      type: 'string',
      value: 'OUTCOMES',
      help: `fail if an instance has one of these: ${failures.join(', ')} (default: none)`,
    },
    process: { type: 'string', value: 'ID', help: 'the process, of a file with several' },
    markdown: { type: 'boolean', help: 'write the report as Markdown, for a comment on a pull request' },
    ...reasonOption,
  },
  async run(invocation) {
    const { terminal, signal, flag } = invocation;
    const failing = (someOf(invocation, 'fail-on', failures)?.split(',') ?? []) as Outcome[];
    const newest = wholeNumber(invocation, 'newest', 1, 100_000);
    const request = { ...(newest !== undefined && { newest }), ...reasonOf(invocation) };
    const host = await invocation.host();
    const { backtestID } = await create(host, invocation, request);
    let said = '';
    const ended = await untilEnded(host, backtestID, signal, (running) => {
      const line = sumsOf(running);
      // Not part of the report.
      if (line !== said && !terminal.json) terminal.complain(line);
      said = line;
    });
    if (terminal.json) showJson(terminal, ended);
    else for (const line of flag('markdown') ? markdownOf(ended) : linesOf(ended)) terminal.write(line);
    return isFailed(ended, failing) ? exitCodes.refused : exitCodes.done;
  },
};

function isFailed({ status, counts }: Backtest, failing: readonly Outcome[]): boolean {
  return status !== 'COMPLETED' || failing.some((outcome) => counts[outcome] > 0);
}

type Accepted = Schemas['AcceptedBpmnBacktest'];
type Request = Schemas['CreateBpmnBacktestRequest'];

async function create(host: Host, invocation: Invocation, body: Request): Promise<Accepted> {
  const named = invocation.operands[0]!;
  if (/\.(bpmn|xml)$/i.test(named)) return createOfFile(host, invocation, body);
  const { client, projectID } = host;
  const definitionID = await definitionOf(host, named);
  return unwrap<Accepted>(
    client.POST('/projects/{projectID}/bpmn/definitions/{definitionID}/backtests', {
      params: { path: { projectID, definitionID }, header: { 'Idempotency-Key': randomUUID() } },
      body,
    }),
  );
}

/** The backtest keeps the version, so its draft goes as soon as it is accepted, or refused. */
async function createOfFile({ client, projectID }: Host, invocation: Invocation, body: Request): Promise<Accepted> {
  const file = invocation.operands[0]!;
  const processID = invocation.option('process');
  const draft = await unwrap<Schemas['BpmnResource']>(
    client.POST('/projects/{projectID}/bpmn/resources', {
      params: { path: { projectID } },
      body: { name: `Backtest of ${basename(file)}`.slice(0, 255), xml: await readText(file) },
    }),
  );
  const path = { projectID, resourceID: draft.id };
  try {
    return await unwrap<Accepted>(
      client.POST('/projects/{projectID}/bpmn/resources/{resourceID}/backtests', {
        params: { path, header: { 'Idempotency-Key': randomUUID() } },
        body: { ...body, ...(processID !== undefined && { processID }) },
      }),
    );
  } finally {
    await unwrap(client.DELETE('/projects/{projectID}/bpmn/resources/{resourceID}', { params: { path } }));
  }
}
