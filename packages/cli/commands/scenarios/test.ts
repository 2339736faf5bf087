import { exitCodes, type Command, type Invocation } from '../../command.js';
import { WrongUse } from '../../wrong-use.js';
import { watchFolders } from '../watch-files.js';

export const test: Command = {
  name: 'test',
  role: 'editor',
  operands: '[PATH...]',
  summary: 'Run scenarios: tests of processes',
  details:
    'Runs files whose names end in .scenario.json, in virtual time. A folder means all scenarios in it and below it ' +
    '(default: the current folder). Each scenario uses the models of its folder, or the files that it names. ' +
    'A file that is named can also have JSON test cases of Camunda 8. Without --host, no host is called; with it, ' +
    'each scenario is a test of a draft, which calls the processes and decisions that are deployed there.',
  minOperands: 0,
  maxOperands: Infinity,
  options: {
    coverage: {
      type: 'string',
      value: 'DIR',
      help: 'write coverage.json, and index.html with the diagrams, into this folder',
    },
    'min-coverage': { type: 'string', value: 'PERCENT', help: 'fail if less of the models is covered' },
    junit: { type: 'string', value: 'FILE', help: 'write the results in the XML format of JUnit' },
    host: { type: 'boolean', help: 'run them on the host, as tests of drafts (editor); coverage is not measured' },
    watch: { type: 'boolean', help: 'run again whenever a file changes, until Ctrl-C' },
  },
  examples: [
    'perdure test',
    'perdure test orders --coverage coverage --junit results.xml',
    'perdure test orders --host',
    'perdure test --watch',
  ],
  async run(invocation) {
    const minimum = percentage(invocation);
    if (invocation.flag('host') && (minimum > 0 || invocation.option('coverage') !== undefined))
      throw new WrongUse('A host does not measure coverage. Run perdure test without --host for it.');
    const { runOnce } = await import('../../scenarios/command.js');
    if (!invocation.flag('watch')) return (await runOnce(invocation, minimum)).exitCode;
    await watchFolders(async () => (await runOnce(invocation, minimum)).folders, invocation.signal);
    return exitCodes.done;
  },
};

function percentage(invocation: Invocation): number {
  const text = invocation.option('min-coverage') ?? '0';
  const number = /^\d{1,3}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (number <= 100) return number;
  throw new WrongUse(`--min-coverage must be a number from 0 to 100, but is ${JSON.stringify(text)}`);
}
