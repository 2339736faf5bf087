import { lists, unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { filterOptions, filterQuery } from '../../lists/filters.js';
import { pageOptions, pageQuery, showPage } from '../../lists/paging.js';
import { showJson } from '../../terminal.js';
import { linesOf } from './report.js';
import { exampleBacktest, readBacktest, type Backtest } from './shared.js';

const backtests = lists.ListBpmnBacktests;
const backtestItems = lists.ListBpmnBacktestItems;
type Item = Schemas['BpmnBacktestItem'];

export const listBacktests: Command = {
  name: 'backtests list',
  role: 'viewer',
  operands: '',
  summary: 'List backtests, newest first',
  examples: ['perdure backtests list', 'perdure backtests list --process order --status completed'],
  minOperands: 0,
  maxOperands: 0,
  options: { ...filterOptions(backtests), ...pageOptions },
  async run(invocation) {
    const query = { ...filterQuery(backtests, invocation), ...pageQuery(invocation) };
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['BpmnBacktestPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/backtests', { params: { path: { projectID }, query } }),
    );
    showPage<Backtest>(invocation.terminal, answer, 'backtest', {
      BACKTEST: (one) => one.backtestID,
      PROCESS: (one) => one.processID,
      STATUS: (one) => one.status,
      DONE: (one) => `${one.done} of ${one.total}`,
      SAME: (one) => one.counts.same,
      CREATED: (one) => one.createdAt,
      BY: (one) => one.createdBy,
    });
    return exitCodes.done;
  },
};

export const showBacktest: Command = {
  name: 'backtests show',
  role: 'viewer',
  operands: 'BACKTEST_ID',
  summary: 'Show the report of a backtest and its instances',
  examples: [
    `perdure backtests show ${exampleBacktest}`,
    `perdure backtests show ${exampleBacktest} --outcome other_path`,
  ],
  minOperands: 1,
  maxOperands: 1,
  options: { ...filterOptions(backtestItems), ...pageOptions },
  async run(invocation) {
    const { terminal, signal } = invocation;
    const backtestID = invocation.operands[0]!;
    const query = { ...filterQuery(backtestItems, invocation), ...pageQuery(invocation) };
    const host = await invocation.host();
    const { client, projectID } = host;
    const backtest = await readBacktest(host, backtestID, signal);
    const params = { path: { projectID, backtestID }, query };
    const items = await unwrap<Schemas['BpmnBacktestItemPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/backtests/{backtestID}/items', { params }),
    );
    if (terminal.json) {
      showJson(terminal, { ...backtest, items });
      return exitCodes.done;
    }
    for (const line of linesOf(backtest)) terminal.write(line);
    showPage<Item>(terminal, items, 'instance', {
      INSTANCE: (one) => one.workflowID,
      OUTCOME: (one) => one.outcome,
      NODE: (one) => one.first?.nodeID,
      WHY: (one) => one.reason,
    });
    return exitCodes.done;
  },
};
