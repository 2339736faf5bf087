/** Recorded runs of an agent replayed from facts and stored answers: the same tools, counters, and conversation. */
import { Socket } from 'node:net';
import { backtest, type Recording } from '@perdure/backtest';
import { modelOf } from '@perdure/engine/model/model.js';
import { adHocSubProcess, endEvent, scriptTask, serviceTask } from '@perdure/testkit/models';
import { afterEach, expect, it, vi } from 'vitest';
import { rerun } from '../../host/admin/check-upgrade/rerun.js';
import { MemoryHost } from '../../packages/testkit/memory-host.js';
import { Random } from '../engine/random/random.js';
import { base, seedsFrom } from '../engine/random/seeds.js';
import { simpleModel } from '../support/models.js';
import { Conversation, decisionsOf, happen, randomAnswer, type Asked } from './support/agent-runs.js';
import { recordAll } from './support/recorder-of-host.js';

/** `npm run agent-proof` takes more. */
const RUNS = Number(process.env['AGENT_RUNS'] || 30);
const MAX_HAPPENINGS = 60;

const MODEL = simpleModel(
  [
    adHocSubProcess(
      'agent',
      [
        serviceTask('search', { inputs: { query: '=fromAi(toolCall.query, "Words", "string")' } }),
        serviceTask('mail'),
        serviceTask('refund'),
        scriptTask('look', '=question', 'toolCallResult'),
      ],
      [],
      {
        job: 'perdure:agent',
        inputs: {
          url: 'https://models.example/v1',
          model: 'small',
          goal: '=question',
          maxTurns: '8',
          maxTokens: '20000',
          approve: '=["refund"]',
        },
        headers: { resultVariable: 'answer' },
      },
    ),
    endEvent('e'),
  ],
  ['f1: s -> agent', 'f2: agent -> e'],
);

interface Run {
  recording: Recording;
  conversation: Conversation;
  asked: Asked[];
}

function recordRun(host: MemoryHost, seed: number): Run {
  const random = new Random(seed);
  host.instances.clear();
  const recorders = recordAll(host);
  const instance = host.start('p', { question: `order ${seed}` });
  const recordingOf = () => recorders.get(instance.workflowID)!.recording;
  const asked: Asked[] = [];
  const conversation = new Conversation(instance.workflowID, instance.model, (request) => {
    const answer = randomAnswer(random);
    asked.push({ request, answer });
    return answer;
  });
  const factsOf = () => recordingOf().steps.flatMap(({ facts }) => facts);
  for (let happened = 0; happened < MAX_HAPPENINGS && instance.state.status === 'RUNNING'; happened += 1)
    happen(host, instance, conversation, factsOf, random);
  if (instance.state.status === 'RUNNING') host.command(instance, { kind: 'CANCEL_INSTANCE' });
  return { recording: recordingOf(), conversation, asked };
}

/** The connector decides again, with the stored answers only. */
function replayed({ recording, asked }: Run): Conversation {
  const again = new Conversation(recording.workflowID, recording.model, (request, turn) => {
    const stored = asked[turn - 1];
    if (!stored) throw new Error(`turn ${turn} was never asked`);
    expect(request).toEqual(stored.request);
    return stored.answer;
  });
  for (const { created, decision } of decisionsOf(recording)) expect(again.decide(created)).toEqual(decision);
  return again;
}

const TOOLS = new Set(['search', 'mail', 'refund', 'look', 'refund#approval']);
const toolsOf = ({ steps }: Recording) =>
  steps.flatMap(({ facts }) =>
    facts.flatMap((fact) => (fact.kind === 'ELEMENT_ACTIVATED' && TOOLS.has(fact.node) ? [fact.node] : [])),
  );

afterEach(() => vi.restoreAllMocks());

it(
  `${RUNS} recorded runs of an agent replay without the network to the same tools, counters, and conversation (RANDOM_SEED=${base})`,
  { timeout: 60_000 + RUNS * 500 },
  async () => {
    const connected = vi.spyOn(Socket.prototype, 'connect');
    const host = await MemoryHost.deploy(MODEL);
    host.compareEvery = Infinity;
    let tools = 0;
    for (const seed of seedsFrom([], RUNS)) {
      const run = recordRun(host, seed);
      const { recording, conversation } = run;
      const where = `seed ${seed}`;
      const again = replayed(run);
      expect(again.turns, where).toEqual(conversation.turns);
      expect(again.counted, where).toBe(conversation.counted);
      expect(again.counted, where).toBeLessThanOrEqual(20_000);
      const model = modelOf(JSON.parse(JSON.stringify(recording.model.graph)));
      expect(rerun({ ...recording, model, targets: new Map() }), where).toEqual({ kind: 'same' });
      expect(backtest(recording, model).item, where).toMatchObject({ outcome: 'SAME' });
      tools += toolsOf(recording).length;
    }
    expect(tools).toBeGreaterThan(RUNS);
    expect(connected).not.toHaveBeenCalled();
  },
);

it('a replay notices another request, another answer, and another decision', async () => {
  const host = await MemoryHost.deploy(MODEL);
  const run = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => recordRun(host, seed)).find(({ asked }) => asked.length > 2)!;
  const [first, ...rest] = run.asked;
  expect(() => replayed({ ...run, asked: [{ ...first!, request: { model: 'large' } }, ...rest] })).toThrow();
  const silent = { text: 'Done.', calls: [], failure: null, inputTokens: 1, outputTokens: 1 };
  expect(() => replayed({ ...run, asked: [{ ...first!, answer: silent }, ...rest] })).toThrow();
  expect(() => replayed({ ...run, asked: [first!] })).toThrow('turn 2 was never asked');
});
