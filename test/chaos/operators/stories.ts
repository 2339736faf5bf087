/** Stories of operators with one instance, from its start to its end, each with its expected outcome. */
import type { Violations } from '../violations.js';
import { isYes, type Operator } from './operator.js';

/** Versions of the processes of `models.ts`. */
export interface Ward {
  repair: string;
  /** The number of the version that instances are migrated to. */
  stampedVersion: number;
  abandoned: string;
  poison: string;
}

export interface Scene {
  operator: Operator;
  ward: Ward;
  violations: Violations;
  /** Business id of the instance. */
  id: string;
}

export type Story = (scene: Scene) => Promise<void>;

/** R11: the failed activity runs again, by itself and once, however often its incident is resolved. */
const resolve: Story = async (scene) => {
  const { operator, violations, id } = scene;
  const workflowID = await startRepair(scene, 0);
  const { incidents } = await operator.until(workflowID, '', ({ incidents: open }) => open.length > 0);
  const { incidentID } = incidents[0];
  const asked = {
    workflowID,
    kind: 'RESOLVE_INCIDENT',
    method: 'POST',
    path: `/incidents/${incidentID}/resolve`,
    json: { variables: { divisor: 4 } },
  } as const;
  await operator.ask(asked);
  const again = await operator.caller.send(
    asked.method,
    `/projects/${operator.projectID}/bpmn/instances/${workflowID}${asked.path}`,
    asked.json,
  );
  violations.check(
    'R11',
    [404, 409].includes(again.status),
    () => `${id}: resolving the same incident again was answered ${again.status}`,
  );
  await givePart(scene);
  await expectEnd(scene, workflowID, { share: 25 });
  await expectCompleted(scene, workflowID, 'divide', 1, 1);
};

/** R9: what comes to a paused instance waits, and has its effect once it is resumed, once. */
const pause: Story = async (scene) => {
  const { operator, violations, id } = scene;
  const workflowID = await startRepair(scene, 4);
  await untilActive(scene, workflowID, 'part');
  await operator.ask({ workflowID, kind: 'SUSPEND', method: 'POST', path: '/suspend', reason: `pause ${id}` });
  const before = await historyOf(scene, workflowID);
  await givePart(scene);
  await operator.until(workflowID, '/suspension', ({ waiting }) =>
    waiting.some(({ kind }: { kind: string }) => kind === 'message'),
  );
  const meanwhile = await historyOf(scene, workflowID);
  violations.check(
    'R9',
    before === meanwhile,
    () => `${id}: while paused its history went from ${before} to ${meanwhile}`,
  );
  await operator.ask({ workflowID, kind: 'RESUME', method: 'POST', path: '/resume', reason: `resume ${id}` });
  await expectEnd(scene, workflowID, { share: 25 });
  await expectCompleted(scene, workflowID, 'part', 1, 1);
};

/** R10: what has been canceled does nothing, nor does what it has called. */
const cancel: Story = async (scene) => {
  const { operator, ward, violations, id } = scene;
  const workflowID = await operator.start(ward.abandoned, id, {});
  const called: string[] = [workflowID];
  while (called.length < 3) {
    const { children } = await operator.until(called.at(-1)!, '/children', (body) => body.children.length > 0);
    called.push(children[0].workflowID);
  }
  await operator.until(called[2]!, '/external-jobs', ({ data }) => data.length > 0);
  const answer = await operator.ask({ workflowID, kind: 'CANCEL_INSTANCE', method: 'DELETE', reason: `cancel ${id}` });
  const atOnce = answer.status === 204 ? await Promise.all(called.map((each) => historyOf(scene, each))) : undefined;
  for (const [index, each] of called.entries()) {
    await operator.until(each, '', ({ status }) => status === 'CANCELED');
    const history = await historyOf(scene, each);
    violations.check(
      'R10',
      atOnce === undefined || index > 0 || atOnce[index] === history,
      () => `${id}: when its cancellation was answered the history was ${atOnce?.[index]}, then ${history}`,
    );
    violations.check('R10', !history.includes('Started'), () => `${id}: canceled, and its history is ${history}`);
  }
  const { data } = await operator.look(called[2]!, '/external-jobs');
  violations.check(
    'R10',
    data.every(({ status }: { status: string }) => status === 'CANCELED'),
    () => `${id}: canceled, and its job is ${data[0]?.status}`,
  );
};

const setVariables: Story = async (scene) => {
  const { operator, id } = scene;
  const workflowID = await startRepair(scene, 4);
  await operator.askAgainAndAgain({
    workflowID,
    kind: 'SET_VARIABLES',
    method: 'PUT',
    path: '/variables',
    json: { variables: { note: id } },
  });
  await givePart(scene);
  await expectEnd(scene, workflowID, { share: 25, note: id });
};

/** The token goes back before the division, so that it is done once more. */
const modify: Story = async (scene) => {
  const { operator, id } = scene;
  const workflowID = await startRepair(scene, 4);
  await untilActive(scene, workflowID, 'part');
  const json = {
    instructions: [
      { type: 'CANCEL_TOKEN', nodeID: 'part' },
      { type: 'START_BEFORE_NODE', nodeID: 'divide' },
    ],
  };
  const answer = await operator.askOnce({
    workflowID,
    kind: 'MODIFY',
    method: 'POST',
    path: '/modify',
    json,
    reason: `modify ${id}`,
  });
  // An attempt without an answer may still arrive, but not at an instance that has ended.
  await givePart(scene);
  await expectEnd(scene, workflowID, { share: 25 });
  const isDone = answer !== undefined && isYes(answer);
  await expectCompleted(scene, workflowID, 'divide', isDone ? 2 : 1, 2);
};

const migrate: Story = async (scene) => {
  const { operator, ward, id } = scene;
  const workflowID = await startRepair(scene, 4);
  await untilActive(scene, workflowID, 'part');
  const answer = await operator.askOnce({
    workflowID,
    kind: 'MIGRATE',
    method: 'POST',
    path: '/migrate',
    json: { targetVersion: ward.stampedVersion },
    reason: `migrate ${id}`,
  });
  await givePart(scene);
  await expectEnd(scene, workflowID, { share: 25, ...(answer && isYes(answer) && { stamp: 2 }) });
};

/** R20: a value that cannot be stored has no effect outside its instance. */
const spoil: Story = async (scene) => {
  const { operator, ward, violations, id } = scene;
  const refused = await operator.caller.send('POST', `/projects/${operator.projectID}/bpmn/instances`, {
    processDefinitionID: ward.poison,
    variables: { text: '\u0000' },
  });
  violations.check(
    'R20',
    refused.status === 400,
    () => `${id}: a start with what cannot be stored was answered ${refused.status}`,
  );
  const workflowID = await operator.start(ward.poison, id, {});
  const { status } = await operator.until(
    workflowID,
    '',
    (body) => body.incidents.length > 0 || body.status !== 'RUNNING',
  );
  if (status === 'RUNNING')
    await operator.ask({ workflowID, kind: 'CANCEL_INSTANCE', method: 'DELETE', reason: `cancel ${id}` });
};

export const stories: { readonly [name: string]: Story } = {
  resolve,
  pause,
  cancel,
  setVariables,
  modify,
  migrate,
  spoil,
};

function startRepair({ operator, ward, id }: Scene, divisor: number): Promise<string> {
  return operator.start(ward.repair, id, { repairID: id, divisor });
}

async function givePart({ operator, id }: Scene): Promise<void> {
  const message = { messageName: 'partArrived', correlationKeys: id, variables: { partFor: id } };
  const answer = await operator.caller.send('POST', `/projects/${operator.projectID}/bpmn/messages`, message, {
    'Idempotency-Key': `part-${id}`,
  });
  if (!isYes(answer))
    throw new Error(`The message for ${id} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
}

async function untilActive({ operator }: Scene, workflowID: string, node: string): Promise<void> {
  await operator.until(workflowID, '', ({ activeScopes }) =>
    activeScopes.some(({ activeNodes }: { activeNodes: object }) => node in activeNodes),
  );
}

/** R2: it completes with these variables, and with those of its message. */
async function expectEnd(
  { operator, violations, id }: Scene,
  workflowID: string,
  expected: { [name: string]: unknown },
): Promise<void> {
  const { status, variables } = await operator.until(workflowID, '', (body) => body.status !== 'RUNNING');
  const wrong = Object.entries({ ...expected, partFor: id }).filter(([name, value]) => variables[name] !== value);
  violations.check(
    'R2',
    status === 'COMPLETED' && wrong.length === 0,
    () => `${id} is ${status}; wrong: ${wrong.map(([name]) => `${name} ${variables[name]}`).join(', ')}`,
  );
}

async function expectCompleted(
  scene: Scene,
  workflowID: string,
  node: string,
  least: number,
  most: number,
): Promise<void> {
  const history = await historyOf(scene, workflowID);
  const times = history.split(' ').filter((entry) => entry === `${node}:Completed`).length;
  scene.violations.check(
    'R3',
    times >= least && times <= most,
    () => `${scene.id}: ${node} completed ${times} times, not ${least} to ${most}: ${history}`,
  );
}

/** `begin:Completed divide:Completed part:Started` */
async function historyOf({ operator }: Scene, workflowID: string): Promise<string> {
  const { data } = await operator.look(workflowID, '/history?pageSize=100');
  return data.map(({ nodeID, status }: { nodeID: string; status: string }) => `${nodeID}:${status}`).join(' ');
}
