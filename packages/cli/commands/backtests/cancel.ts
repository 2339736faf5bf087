import { unwrap } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { show } from '../../terminal.js';
import { reasonOf, reasonOption } from '../instance/target.js';
import { exampleBacktest, readBacktest, sumsOf } from './shared.js';

export const cancelBacktest: Command = {
  name: 'backtests cancel',
  role: 'editor',
  operands: 'BACKTEST_ID',
  summary: 'Cancel a backtest; what it has compared stays',
  examples: [`perdure backtests cancel ${exampleBacktest}`],
  minOperands: 1,
  maxOperands: 1,
  options: reasonOption,
  async run(invocation) {
    const { operands, signal, terminal } = invocation;
    const backtestID = operands[0]!;
    const host = await invocation.host();
    await unwrap(
      host.client.POST('/projects/{projectID}/bpmn/backtests/{backtestID}/cancel', {
        params: { path: { projectID: host.projectID, backtestID } },
        body: reasonOf(invocation),
      }),
    );
    const backtest = await readBacktest(host, backtestID, signal);
    show(terminal, backtest, () => [sumsOf(backtest)]);
    return exitCodes.done;
  },
};
