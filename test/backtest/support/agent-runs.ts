/**
 * Runs of an agent in memory: the connector's code decides, a scripted model answers at random, and tools return or fail
 * at random. Only the store and the network are left out.
 */
import type { Recording } from '@perdure/backtest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import type { Model } from '@perdure/engine/model/model.js';
import { readAgent } from '../../../connectors/agent/agent.js';
import { questionOf } from '../../../connectors/agent/ask.js';
import { nextStep } from '../../../connectors/agent/next-step.js';
import { decisionOf } from '../../../connectors/agent/perform.js';
import { readCalls } from '../../../connectors/agent/tools.js';
import type { ModelAnswer, WrittenCall } from '../../../connectors/agent/providers/provider.js';
import { TaskError } from '../../../connectors/results/task-error.js';
import type { Completion, LeasedTask } from '../../../connectors/work.js';
import type { MemoryHost, MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { executionKey } from '../../../store/sql/ids.js';
import type { AgentTurn } from '../../../store/work/agents/turns.js';
import type { Random } from '../../engine/random/random.js';

type JobCreated = Extract<Fact, { kind: 'JOB_CREATED' }>;
export type Decision = Completion | { readonly errorCode: string };

/** Request and answer of one turn. */
export interface Asked {
  readonly request: Json;
  readonly answer: ModelAnswer;
}

/** The connector's decisions about one conversation, with its turns in memory. */
export class Conversation {
  readonly turns: { -readonly [Member in keyof AgentTurn]: AgentTurn[Member] }[] = [];
  readonly #workflowID: string;
  readonly #model: Model;
  readonly #ask: (request: Json, turn: number) => ModelAnswer;

  constructor(workflowID: string, model: Model, ask: (request: Json, turn: number) => ModelAnswer) {
    this.#workflowID = workflowID;
    this.#model = model;
    this.#ask = ask;
  }

  decide(fact: JobCreated): Decision {
    try {
      return this.#decide(fact);
    } catch (error) {
      if (error instanceof TaskError) return { errorCode: error.code };
      throw error;
    }
  }

  #decide(fact: JobCreated): Completion {
    const agent = readAgent(taskOf(this.#workflowID, this.#model, fact));
    for (;;) {
      const step = nextStep(this.turns, agent.situation);
      const last = this.turns.at(-1);
      if (step.kind !== 'ask') {
        const decision = decisionOf(agent, step);
        if (step.kind === 'start') Object.assign(last!, { job: fact.job, isActedOn: true });
        return decision;
      }
      const { maxTurns, maxTokens } = agent.settings;
      if (step.turn > maxTurns) throw new TaskError('AGENT_TURNS_EXHAUSTED', '');
      const { call, tokens } = questionOf(agent, this.turns, step.turn, step.told);
      if (maxTokens !== undefined && this.counted + tokens > maxTokens)
        throw new TaskError('AGENT_TOKENS_EXHAUSTED', '');
      if (step.told) last!.calls = step.told;
      const { calls, ...rest } = this.#ask(call.body!, step.turn);
      this.turns.push({
        ...rest,
        calls: readCalls(step.turn, calls, agent.tools),
        element: agent.conversation.element,
        model: agent.settings.model,
        turn: step.turn,
        job: fact.job,
        isActedOn: false,
        isAnswered: true,
        startedAt: new Date(0),
        durationMs: 1,
        countedTokens: rest.inputTokens === null ? tokens : rest.inputTokens + rest.outputTokens!,
      });
    }
  }

  get counted(): number {
    return this.turns.reduce((sum, { countedTokens }) => sum + countedTokens, 0);
  }
}

function taskOf(workflowID: string, model: Model, { job, node, headers, localVariables }: JobCreated): LeasedTask {
  const handedOut = {
    executionKey: executionKey(workflowID, job),
    nodeID: node,
    leaseToken: '',
    headers: headers ?? {},
    variables: localVariables ?? {},
  };
  return {
    projectID: 'p1',
    clientID: 'connector',
    job: handedOut as unknown as LeasedTask['job'],
    node: model.find(node),
    traceContext: undefined,
  };
}

const CALLS: readonly WrittenCall[] = [
  { name: 'search', arguments: { query: 'order 17' } },
  { name: 'search', arguments: { query: 17 } },
  { name: 'search', arguments: undefined },
  { name: 'mail', arguments: {} },
  { name: 'refund', arguments: {} },
  { name: 'look', arguments: {} },
  { name: 'deleteEverything', arguments: {} },
];

/** An answer with calls, known and unknown, or with a text, or a refusal. */
export function randomAnswer(random: Random): ModelAnswer {
  const usage = random.chance(0.1)
    ? { inputTokens: null, outputTokens: null }
    : { inputTokens: random.below(400), outputTokens: random.below(60) };
  if (random.chance(0.05)) return { text: null, calls: [], failure: 'AGENT_REFUSED', ...usage };
  if (random.chance(0.2)) return { text: `answer ${random.below(9)}`, calls: [], failure: null, ...usage };
  const calls = Array.from({ length: 1 + random.below(3) }, () => random.pick(CALLS));
  return { text: random.chance(0.5) ? 'Let me see.' : null, calls, failure: null, ...usage };
}

/** Facts of an instance, as they are recorded. */
export type FactsOf = (instance: MemoryInstance) => readonly Fact[];

/** Lets one of the things happen that the instance waits for. */
export function happen(
  host: MemoryHost,
  instance: MemoryInstance,
  conversation: Conversation,
  factsOf: FactsOf,
  random: Random,
): void {
  const waits = Object.values(instance.state.waits).filter(({ kind }) => kind === 'job' || kind === 'userTask');
  const incidents = Object.values(instance.state.incidents);
  host.advance(1 + random.below(5_000));
  if (waits.length === 0 || (incidents.length > 0 && random.chance(0.3)))
    return void host.send(instance, { kind: 'RESOLVE_INCIDENT', incident: random.pick(incidents).id });
  const wait = random.pick(waits);
  if (wait.kind === 'userTask')
    return void host.send(instance, {
      kind: 'COMPLETE_USER_TASK',
      execution: wait.id,
      variables: { approved: random.chance(0.6), reason: 'Too much' },
    });
  if (wait.node === 'agent') return decide(host, instance, conversation, factsOf, wait.id);
  if (random.chance(0.1))
    return void host.send(instance, { kind: 'THROW_JOB_ERROR', execution: wait.id, errorCode: 'BROKEN' });
  const variables: Variables = { toolCallResult: random.pick<Json>(['sent', 17, null, { state: 'shipped' }, []]) };
  host.send(instance, { kind: 'COMPLETE_JOB', execution: wait.id, variables });
}

function decide(
  host: MemoryHost,
  instance: MemoryInstance,
  conversation: Conversation,
  factsOf: FactsOf,
  job: number,
): void {
  const created = factsOf(instance).find((fact) => fact.kind === 'JOB_CREATED' && fact.job === job) as JobCreated;
  const decision = conversation.decide(created);
  host.send(
    instance,
    'errorCode' in decision
      ? { kind: 'THROW_JOB_ERROR', execution: job, errorCode: decision.errorCode }
      : { kind: 'COMPLETE_JOB', execution: job, ...decision },
  );
}

interface Decided {
  readonly created: JobCreated;
  readonly decision: Decision;
}

/** The decisions that were recorded, each with the job that it answered, in their order. */
export function decisionsOf({ steps, commands }: Recording): Decided[] {
  const created = new Map<number, JobCreated>();
  for (const { facts } of steps)
    for (const fact of facts)
      if (fact.kind === 'JOB_CREATED' && fact.taskType === 'perdure:agent') created.set(fact.job, fact);
  return commands.flatMap((command): Decided[] => {
    if (command.kind !== 'COMPLETE_JOB' && command.kind !== 'THROW_JOB_ERROR') return [];
    const job = created.get(command.execution);
    if (!job || command.status !== 'APPLIED') return [];
    return command.kind === 'THROW_JOB_ERROR'
      ? [{ created: job, decision: { errorCode: command.errorCode } }]
      : [
          {
            created: job,
            decision: { variables: command.variables ?? {}, ...(command.result && { result: command.result }) },
          },
        ];
  });
}
