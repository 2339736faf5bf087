/** Turns of an agent, as a connector stores them. */
import { openDatabase } from '../../support/database.js';

/** Two turns of the ad-hoc sub-process: with a call of the tool, and with the answer. */
export async function insertTurns(
  databaseUrl: string,
  workflowID: string,
  nodeID: string,
  tool: string,
): Promise<void> {
  const calls = [
    { id: 'call_1_1', elementId: tool, arguments: { query: 'order 17' }, result: { state: 'shipped' }, approved: true },
    { id: 'call_1_2', elementId: 'deleteOrders', problem: 'The tool was not called: There is no tool of this name.' },
  ];
  const store = openDatabase(databaseUrl);
  await store.query(
    `INSERT INTO agent_turns (workflow_id, element, turn, node_id, job, answered_at, duration_ms, input_tokens, output_tokens, counted_tokens, model, text, calls)
     VALUES ($1, 5, 1, $2, 6, now(), 1200, 1400, 35, 1435, 'small', 'I look it up.', $3::json), ($1, 5, 2, $2, 9, now(), 900, 1500, 12, 1512, 'small', 'It arrives tomorrow.', '[]')`,
    [workflowID, nodeID, JSON.stringify(calls)],
  );
  await store.end();
}
