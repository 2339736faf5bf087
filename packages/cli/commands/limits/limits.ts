import { unwrap, type Schemas } from '@perdure/client';
import { printable } from '@perdure/lib/trust/printable.js';
import { exitCodes, type Command } from '../../command.js';
import { fieldLines } from '../../lists/fields.js';
import { pageOptions, pageQuery, showPage } from '../../lists/paging.js';
import { show } from '../../terminal.js';
import { wholeNumber } from '../../values.js';
import { WrongUse } from '../../wrong-use.js';
import { reasonOf, reasonOption } from '../instance/target.js';

type Limit = Schemas['Limit'];

const MAX_COUNT = 100_000;

export const listLimits: Command = {
  name: 'limits list',
  role: 'viewer',
  operands: '',
  summary: 'List the limits of task types, with the jobs that are leased and held back',
  examples: ['perdure limits list'],
  minOperands: 0,
  maxOperands: 0,
  options: { ...pageOptions },
  async run(invocation) {
    const { client, projectID } = await invocation.host();
    const params = { path: { projectID }, query: pageQuery(invocation) };
    const answer = await unwrap<Schemas['LimitPaginatedResponse']>(
      client.GET('/projects/{projectID}/limits', { params }),
    );
    showPage<Limit>(invocation.terminal, answer, 'limit', {
      TYPE: ({ taskType }) => taskType,
      CONCURRENT: ({ concurrent }) => concurrent,
      RATE: rateOf,
      LEASED: ({ leased }) => leased,
      HELD: ({ held }) => held,
      UPDATED: ({ updatedAt }) => updatedAt,
    });
    return exitCodes.done;
  },
};

export const putLimit: Command = {
  name: 'limits put',
  role: 'admin',
  operands: 'TASK_TYPE',
  summary: 'Limit the jobs of a task type, for each limit key',
  details: 'Replaces the whole limit: what is left out has no limit.',
  examples: [
    'perdure limits put charge-card --concurrent 5',
    "perdure limits put charge-card --rate 100/1m --reason 'the bank asked for it'",
  ],
  minOperands: 1,
  maxOperands: 1,
  options: {
    concurrent: { type: 'string', value: 'NUMBER', help: 'jobs that are leased at once, 1 to 100000' },
    rate: { type: 'string', value: 'COUNT/DURATION', help: 'jobs that are leased in any window, such as 100/1m' },
    ...reasonOption,
  },
  async run(invocation) {
    const taskType = invocation.operands[0]!;
    const concurrent = wholeNumber(invocation, 'concurrent', 1, MAX_COUNT);
    const rate = readRate(invocation.option('rate'));
    if (concurrent === undefined && rate === undefined) throw new WrongUse('Give --concurrent, --rate, or both');
    const body = { ...(concurrent !== undefined && { concurrent }), ...(rate && { rate }), ...reasonOf(invocation) };
    const { client, projectID } = await invocation.host();
    const params = { path: { projectID, taskType } };
    const limit = await unwrap<Limit>(client.PUT('/projects/{projectID}/limits/{taskType}', { params, body }));
    show(invocation.terminal, limit, () =>
      fieldLines({
        Type: limit.taskType,
        Concurrent: limit.concurrent,
        Rate: rateOf(limit),
        Leased: limit.leased,
        Held: limit.held,
      }),
    );
    return exitCodes.done;
  },
};

export const deleteLimit: Command = {
  name: 'limits delete',
  role: 'admin',
  operands: 'TASK_TYPE',
  summary: 'Remove the limit of a task type',
  examples: ['perdure limits delete charge-card'],
  minOperands: 1,
  maxOperands: 1,
  options: { ...reasonOption },
  async run(invocation) {
    const taskType = invocation.operands[0]!;
    const { client, projectID } = await invocation.host();
    const params = { path: { projectID, taskType }, query: reasonOf(invocation) };
    await unwrap<unknown>(client.DELETE('/projects/{projectID}/limits/{taskType}', { params }));
    show(invocation.terminal, { taskType, deleted: true }, () => [printable(`Task type ${taskType} has no limit`)]);
    return exitCodes.done;
  },
};

function rateOf({ rate }: Limit): string | undefined {
  return rate && `${rate.count} per ${rate.per}`;
}

/** The host checks the duration. */
function readRate(text: string | undefined): { count: number; per: string } | undefined {
  if (text === undefined) return undefined;
  const [, count, per] = /^(\d{1,6})\/(.+)$/.exec(text) ?? [];
  if (count === undefined || Number(count) < 1 || Number(count) > MAX_COUNT)
    throw new WrongUse(
      `--rate must be a number from 1 to ${MAX_COUNT} and a duration, such as 100/1m, but is ${JSON.stringify(text)}`,
    );
  return { count: Number(count), per: per! };
}
