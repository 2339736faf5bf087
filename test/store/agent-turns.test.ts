/** Turns of agents: the limit of tokens, the first answer, and the job that follows from a turn. */
import { describe, expect, it } from 'vitest';
import {
  beginSending,
  listAgentTurns,
  readConversation,
  storeAnswer,
  takeBackTokens,
  takeOnTurn,
  type Answer,
  type JobLease,
} from '../../store/work/agents/turns.js';
import { parseExecutionKey } from '../../store/sql/ids.js';
import { pollJobs } from '../../store/work/job-queue.js';
import { redactInstance } from '../../store/redaction/redact.js';
import { tablesWith } from '../support/tables-with.js';
import { commitStep, projectID, startWithJob, useStore } from './support/store.js';

const store = useStore();

const ELEMENT = 2;
const answer = (given: Partial<Answer> = {}): Answer => ({
  text: 'Hello',
  calls: [],
  failure: null,
  inputTokens: 10,
  outputTokens: 5,
  ...given,
});

let types = 0;
/** An instance with a leased job of an agent. */
async function leased() {
  const taskType = `agent${(types += 1)}`;
  const workflowID = await startWithJob(store, taskType);
  const lease = await leaseOf(taskType);
  return { conversation: { workflowID, element: ELEMENT }, lease, taskType };
}

async function leaseOf(taskType: string, clientID = 'one'): Promise<JobLease> {
  const request = { projectID, clientID, types: [{ taskType, lockDurationMilliseconds: 30_000 }], maxJobs: 1 };
  const [job] = await pollJobs(store.database, request);
  return { number: parseExecutionKey(job!.executionKey)!.number, clientID, leaseToken: job!.leaseToken };
}

const sending = (turn: number, tokens = 100, maxTokens?: number) => ({
  turn,
  nodeID: 'task',
  model: 'small',
  tokens,
  maxTokens,
  told: undefined,
});
const spent = { reserved: 100, used: 15, durationMs: 7 };

describe('a turn of an agent', () => {
  it('counts what was reserved until its answer says what was used', async () => {
    const { conversation, lease } = await leased();
    expect(await beginSending(store.database, conversation, lease, sending(1))).toBe('BEGUN');
    expect(await readConversation(store.database, conversation)).toMatchObject([
      { turn: 1, isAnswered: false, countedTokens: 100, isActedOn: false },
    ]);
    await storeAnswer(store.database, conversation, 1, answer(), spent);
    expect(await readConversation(store.database, conversation)).toMatchObject([
      { turn: 1, isAnswered: true, countedTokens: 15, text: 'Hello', durationMs: 7, inputTokens: 10, outputTokens: 5 },
    ]);
  });

  it('keeps counting a request whose outcome is not known, and gives back one that was refused', async () => {
    const { conversation, lease } = await leased();
    for (let times = 0; times < 3; times += 1) await beginSending(store.database, conversation, lease, sending(1));
    await takeBackTokens(store.database, conversation, 1, 100);
    await storeAnswer(store.database, conversation, 1, answer(), spent);
    const [turn] = await readConversation(store.database, conversation);
    expect(turn!.countedTokens).toBe(100 + 15);
  });

  it('is not begun if all turns together could exceed the limit, also by many at once', async () => {
    const { conversation, lease } = await leased();
    const begun = await Promise.all(
      Array.from({ length: 12 }, () => beginSending(store.database, conversation, lease, sending(1, 100, 450))),
    );
    expect(begun.filter((outcome) => outcome === 'BEGUN')).toHaveLength(4);
    expect(begun.filter((outcome) => outcome === 'EXHAUSTED')).toHaveLength(8);
    const [turn] = await readConversation(store.database, conversation);
    expect(turn!.countedTokens).toBe(400);
  });

  it('is not begun without the lease', async () => {
    const { conversation, lease, taskType } = await leased();
    await store.database.query('UPDATE jobs SET lock_expires_at = now(), available_at = now() WHERE workflow_id = $1', [
      conversation.workflowID,
    ]);
    expect(await beginSending(store.database, conversation, lease, sending(1))).toBe('LEASE_LOST');
    const newer = await leaseOf(taskType, 'two');
    expect(await beginSending(store.database, conversation, lease, sending(1))).toBe('LEASE_LOST');
    expect(await beginSending(store.database, conversation, newer, sending(1))).toBe('BEGUN');
  });

  it('has the first answer that was stored, of many at once', async () => {
    const { conversation, lease } = await leased();
    await beginSending(store.database, conversation, lease, sending(1));
    const texts = Array.from({ length: 8 }, (_, index) => `answer ${index}`);
    await storeAnswer(store.database, conversation, 1, answer({ text: 'first' }), spent);
    await Promise.all(texts.map((text) => storeAnswer(store.database, conversation, 1, answer({ text }), spent)));
    expect(await readConversation(store.database, conversation)).toMatchObject([{ text: 'first', countedTokens: 15 }]);
  });

  it('is followed by a later job, and never again by an earlier one', async () => {
    const { conversation, lease } = await leased();
    await beginSending(store.database, conversation, lease, sending(1));
    expect(await takeOnTurn(store.database, conversation, 1, lease.number)).toBe(true);
    expect(await takeOnTurn(store.database, conversation, 1, lease.number + 4)).toBe(true);
    expect(await takeOnTurn(store.database, conversation, 1, lease.number)).toBe(false);
  });

  it('gets no answer after the end of its instance, and none of its texts survives a redaction', async () => {
    const { conversation, lease } = await leased();
    const calls = [{ id: 'c', elementId: 'tool', arguments: { a: 'marker-77a' }, result: 'marker-77a' }];
    await beginSending(store.database, conversation, lease, sending(1));
    await storeAnswer(store.database, conversation, 1, answer({ text: 'marker-77a', calls }), spent);
    await beginSending(store.database, conversation, lease, sending(2));
    await commitStep(store, conversation.workflowID, 2, [
      { kind: 'JOB_CANCELED', job: lease.number, reason: 'over' },
      { kind: 'ELEMENT_CANCELED', element: ELEMENT },
      { kind: 'INSTANCE_COMPLETED' },
    ]);
    await storeAnswer(store.database, conversation, 2, answer({ text: 'marker-77a' }), spent);
    const { workflowID } = conversation;
    expect(await redactInstance(store.database, { projectID, workflowID, variables: ['any'] })).toEqual({
      kind: 'done',
    });
    expect(await tablesWith(store.database, 'marker-77a')).toEqual([]);
    expect(await readConversation(store.database, conversation)).toMatchObject([
      { text: null, calls: [{ id: 'c', elementId: 'tool' }], inputTokens: 10 },
      { isAnswered: false },
    ]);
  });

  it('is listed without its texts once a page has too many of them', async () => {
    const { conversation, lease } = await leased();
    const { workflowID } = conversation;
    for (let turn = 1; turn <= 6; turn += 1) {
      await beginSending(store.database, conversation, lease, sending(turn));
      await storeAnswer(store.database, conversation, turn, answer({ text: 'x'.repeat(1_000_000) }), spent);
    }
    const { data } = await listAgentTurns(store.database, projectID, workflowID, 'task', { page: 1, pageSize: 10 });
    expect(data.map(({ text, isOmitted }) => [text?.length, isOmitted])).toEqual([
      ...Array.from({ length: 4 }, () => [1_000_000, false]),
      ...Array.from({ length: 2 }, () => [undefined, true]),
    ]);
    const one = await listAgentTurns(store.database, projectID, workflowID, 'task', { page: 6, pageSize: 1 });
    expect(one.data[0]).toMatchObject({ turn: 6, isOmitted: false });
  });

  it('is listed by its node, which a migration can rename, and in its project only', async () => {
    const { conversation, lease } = await leased();
    const { workflowID } = conversation;
    const page = { page: 1, pageSize: 10 };
    await beginSending(store.database, conversation, lease, sending(1));
    expect((await listAgentTurns(store.database, projectID, workflowID, 'task', page)).total).toBe(1);
    expect((await listAgentTurns(store.database, 'other', workflowID, 'task', page)).total).toBe(0);
    await beginSending(store.database, conversation, lease, { ...sending(2), nodeID: 'renamed' });
    const { data, total } = await listAgentTurns(store.database, projectID, workflowID, 'renamed', page);
    expect([total, data.map(({ turn }) => turn)]).toEqual([2, [1, 2]]);
    expect((await listAgentTurns(store.database, projectID, workflowID, 'task', page)).total).toBe(0);
  });
});
