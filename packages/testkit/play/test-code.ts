/** A play as the text of a test with the testkit. */
import type { Variables } from '@perdure/engine/contract/json.js';
import type { MemoryInstance } from '../memory-host.js';
import type { Play } from '../scenario/play.js';
import type { Place, StepContents, StepKind } from '../scenario/scenario.js';
import { instanceWithAdHoc, kindOf, nthOf, timeToPass } from '../scenario/steps.js';
import { isStart, MoveRefused, startOf, type Move } from './moves.js';
import { expectationOf, type Played } from './scenario-of.js';
import type { Watched } from './watched.js';

interface PlayedAgain extends Played {
  /** The play at its beginning, for the places of moves. */
  begin(): Watched;
}

export function testCode({ name, processID, now, files, moves, begin }: PlayedAgain): string {
  const watched = begin();
  const written: string[] = [];
  let isNamed = false;
  for (const move of moves) {
    const line = lineOf(watched.play, move);
    watched.carryOut(move);
    written.push(line);
    if (isNamed || !watched.play.root) continue;
    isNamed = true;
    if (!isStart(move)) written.push(`const instance = ${numbered(watched.play, watched.play.root)};`);
  }
  const body = [...written, ...expectations(watched.play, moves)].map((line) => `  ${line}\n`).join('');
  const [main, ...others] = files.filter((file) => !/\.form$/i.test(file));
  const options = [
    ...(others.length > 0 ? [`with: [${others.map(quoted).join(', ')}]`] : []),
    `processID: ${quoted(processID)}`,
    `now: new Date(${quoted(new Date(now).toISOString())})`,
  ];
  return `import { testProcess } from '@perdure/testkit';
import { it } from ${quoted('vitest')};

it(${quoted(name)}, async () => {
  const process = await testProcess(${quoted(main!)}, { ${options.join(', ')} });
${body}});
`;
}

function lineOf(play: Play, move: Move): string {
  if (isStart(move)) return `const instance = process.start(${objectOf(move.start.variables)});`;
  const kind = kindOf(move);
  return `${(lines[kind] as (play: Play, content: unknown) => string)(play, move[kind])};`;
}

/** One line per kind of step. */
const lines: { readonly [Kind in StepKind]: (play: Play, content: StepContents[Kind]) => string } = {
  completeJob: (play, { variables, ...place }) => `${workAt(play, 'job', place)}.complete(${objectOf(variables)})`,
  failJob: (play, { message, ...place }) =>
    `${workAt(play, 'job', place)}.fail(${message === undefined ? '' : quoted(message)})`,
  throwError: (play, { code, variables, ...place }) => {
    const kind = play.open('job', place).some(({ wait }) => wait.node === place.node) ? 'job' : 'userTask';
    return `${workAt(play, kind, place)}.throwError(${[quoted(code), ...given(variables)].join(', ')})`;
  },
  completeTask: (play, { variables, ...place }) =>
    `${workAt(play, 'userTask', place)}.complete(${objectOf(variables)})`,
  publish(_play, { message, correlation, variables }) {
    const options = [
      ...(correlation === undefined ? [] : [`correlation: ${JSON.stringify(correlation)}`]),
      ...given(variables).map((text) => `variables: ${text}`),
    ];
    const more = options.length === 0 ? '' : `, { ${options.join(', ')} }`;
    return `process.publishMessage(${quoted(message)}${more})`;
  },
  signal: (_play, { name, variables }) => `process.throwSignal(${[quoted(name), ...given(variables)].join(', ')})`,
  advance: ({ host }, duration) => `process.advance(${timeToPass(host, duration)})`,
  setVariables: (_play, variables) => `instance.setVariables(${objectOf(variables)})`,
  resolve(play, { variables, ...place }) {
    const { node } = place;
    const halted = haltedInstance(play, place);
    return `${instanceAt(play, halted)}.resolveIncident(${[quoted(node), ...given(variables)].join(', ')})`;
  },
  triggerAdHoc: (play, { node, activity, ...place }) =>
    `${instanceAt(play, instanceWithAdHoc(play, { node, ...place }))}.triggerAdHoc(${listed([node, activity])})`,
  // Other steps are written by hand, or answer processes that the testkit does not know.
  call: notInTests,
  expect: notInTests,
  expectAmong: notInTests,
};

/** The testkit resolves the oldest incident of an element in an instance. */
function haltedInstance(play: Play, place: Place): MemoryInstance | undefined {
  const halted = play
    .inside(place)
    .flatMap((instance) =>
      play.host.incidents(instance).flatMap(({ node }) => (node === place.node ? [instance] : [])),
    );
  const found = nthOf(halted, place);
  if (halted.indexOf(found!) === (place.nth ?? 1) - 1) return found;
  throw new MoveRefused('A test resolves the oldest incident of an element first. Save a scenario instead.');
}

function notInTests(_play: Play, _content: unknown): never {
  throw new MoveRefused(
    'A test cannot answer the call of a process that is in none of the files. Save a scenario instead.',
  );
}

/** A job or a user task. Of several at one element, the testkit names the first one of an instance. */
function workAt(play: Play, kind: 'job' | 'userTask', place: Place): string {
  const open = play.open(kind, place).filter(({ wait }) => wait.node === place.node);
  const found = nthOf(open, place);
  const index = open.filter(({ instance }) => instance === found?.instance).findIndex((one) => one === found);
  const one = kind === 'job' ? 'job' : 'task';
  const node = quoted(place.node!);
  const owner = instanceAt(play, found?.instance);
  return index < 1
    ? `${owner}.${one}(${node})`
    : `${owner}.${one}s.filter(({ elementID }) => elementID === ${node})[${index}]!`;
}

/** As short as the testkit allows. */
function instanceAt(play: Play, instance: MemoryInstance | undefined): string {
  const { root } = play;
  if (!instance || instance === root) return 'instance';
  const call = play.callerOf(instance.workflowID);
  const called = Object.values(root?.state.waits ?? {}).find(({ kind, node }) => kind === 'child' && node === call);
  if (called?.kind === 'child' && called.workflowID === instance.workflowID) return `instance.called(${quoted(call!)})`;
  return numbered(play, instance);
}

function numbered({ host }: Play, instance: MemoryInstance): string {
  return `process.instances[${[...host.instances.values()].indexOf(instance)}]!`;
}

function expectations(play: Play, moves: readonly Move[]): string[] {
  const { root } = play;
  const expected = expectationOf(play, startOf(moves)?.variables);
  if (!root || !expected) return [];
  const { passed, variables } = expected;
  const waiting = [...new Set(Object.values(root.state.waits).map(({ node }) => node))];
  const incidents = play.host.incidents(root).map(({ node, errorType }) => [node, errorType]);
  return [
    ...(passed ? [`expectPassed(${listed(passed)})`] : []),
    ...(expected.status === 'COMPLETED' ? ['expectCompleted()'] : []),
    ...(waiting.length > 0 ? [`expectWaitingAt(${listed(waiting)})`] : []),
    ...incidents.map((incident) => `expectIncident(${listed(incident)})`),
    ...given(variables).map((text) => `expectVariables(${text})`),
  ].map((text) => `instance.${text};`);
}

/** The variables as an argument, if there are any. */
function given(variables: Variables | undefined): string[] {
  return variables && Object.keys(variables).length > 0 ? [JSON.stringify(variables)] : [];
}

function objectOf(variables: Variables | undefined): string {
  return given(variables).join('');
}

function listed(texts: readonly string[]): string {
  return texts.map(quoted).join(', ');
}

function quoted(text: string): string {
  return /^[^'\\\p{Cc}\u2028\u2029]*$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}
