/** Exchanges of external task clients with Operaton or a host, and the parts of answers that clients read. */
import { convertModel } from '@perdure/convert';
import { sequenceFlows } from '@perdure/testkit/models';
import { eventually } from '../../../../support/eventually.js';

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** Operaton, or a host. */
export interface Side {
  send(path: string, body: unknown): Promise<{ status: number; body: any }>;
  /** Starts an instance of the deployed process, with the type of each variable. */
  start(key: string, businessKey: string, variables: TypedVariables): Promise<void>;
}

export type TypedVariables = Readonly<Record<string, { readonly type: string; readonly value: unknown }>>;

/** Sends a request, and keeps the answer under the name of the step. */
type Ask = (step: string, path: string, body: unknown) => Promise<Answer & { body: any }>;

export interface Exchange {
  readonly name: string;
  readonly variables?: TypedVariables;
  play(on: Stage): Promise<void>;
}

/** One exchange at one side. */
interface Stage {
  readonly ask: Ask;
  /** Fetches a task of the topic as soon as there is one. Its answer is not kept. */
  task(topic: Topic, worker?: string, lockDuration?: number): Promise<any>;
  topic(topic: Topic): string;
  /** Value that only this exchange uses: its business key. */
  readonly key: string;
}

export type Topic = 'first' | 'second' | 'caught' | 'failed' | 'heard' | 'begun';

export const WORKER = 'a-worker';
export const LOCK_MS = 60_000;
export const FETCH = '/external-task/fetchAndLock';

/** Its topics are its own, so that exchanges do not meet. */
export function modelOf(key: string): string {
  const task = (topic: Topic) =>
    `<bpmn:serviceTask id="${topic}" camunda:type="external" camunda:topic="${key}-${topic}"/>`;
  const caught = (id: string, reference: string) =>
    `<bpmn:boundaryEvent id="${id}" attachedToRef="first"><bpmn:errorEventDefinition ${reference}/></bpmn:boundaryEvent>`;
  const message = (name: string) => `<bpmn:messageEventDefinition messageRef="${name}"/>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:camunda="http://camunda.org/schema/1.0/bpmn"
  xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="d-${key}" targetNamespace="urn:exchanges">
<bpmn:message id="told" name="${key}-told"/>
<bpmn:message id="opened" name="${key}-opened"/>
<bpmn:error id="known" errorCode="KNOWN"/>
<bpmn:process id="${key}" isExecutable="true" camunda:historyTimeToLive="P30D">
<bpmn:startEvent id="begin"/>
<bpmn:parallelGateway id="split"/>
${task('first')}
${caught('onKnown', 'errorRef="known"')}
${caught('onAny', '')}
${task('caught')}
${task('failed')}
${task('second')}
<bpmn:intermediateCatchEvent id="listen">${message('told')}</bpmn:intermediateCatchEvent>
${task('heard')}
<bpmn:startEvent id="open">${message('opened')}</bpmn:startEvent>
${task('begun')}
${sequenceFlows([
  'begin -> split',
  'split -> first -> second',
  'split -> listen -> heard',
  'onKnown -> caught',
  'onAny -> failed',
  'open -> begun',
])}
</bpmn:process>
</bpmn:definitions>
`;
}

/** The model as a user has it after `perdure convert`, with the correlation key of its messages. */
export function modelHereOf(key: string): string {
  return convertModel(modelOf(key)).xml.replaceAll(
    /<bpmn:message id="told" name="([\w-]+)"\s*\/>/g,
    '<bpmn:message id="told" name="$1"><bpmn:extensionElements><zeebe:subscription correlationKey="=orderID"/></bpmn:extensionElements></bpmn:message>',
  );
}

export function keyOf({ name }: Exchange): string {
  return name.replaceAll(/[^a-z]+/g, '-');
}

/** Plays an exchange; returns the answers by `exchange: step`. */
export async function played(exchange: Exchange, side: Side): Promise<Record<string, Answer>> {
  const key = keyOf(exchange);
  const answers: Record<string, Answer> = {};
  const topic = (name: Topic) => `${key}-${name}`;
  await side.start(key, key, { orderID: { type: 'String', value: key }, ...exchange.variables });
  await exchange.play({
    key,
    topic,
    async ask(step, path, body) {
      const answer = await side.send(path, body);
      answers[`${exchange.name}: ${step}`] = { status: answer.status, ...readOf(answer.body) };
      return answer;
    },
    async task(name, worker = WORKER, lockDuration = LOCK_MS) {
      return eventually(`a task of ${topic(name)}`, async () => {
        const topics = [{ topicName: topic(name), lockDuration }];
        const { status, body } = await side.send(FETCH, { workerId: worker, maxTasks: 1, topics });
        if (status !== 200) throw new Error(`Fetching answered ${status}: ${JSON.stringify(body)}`);
        return body[0];
      });
    },
  });
  return answers;
}

/** The parts of a body that clients read. */
function readOf(body: any): { body?: unknown } {
  if (body === undefined) return {};
  if (Array.isArray(body)) return { body: body.map((each) => ('topicName' in each ? readOfTask(each) : 'a result')) };
  return { body: { message: typeof body.message } };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}$/;

function readOfTask(task: any): unknown {
  const ids = ['id', 'executionId', 'activityInstanceId', 'processInstanceId', 'processDefinitionId'];
  const same = [
    'activityId',
    'topicName',
    'workerId',
    'processDefinitionKey',
    'businessKey',
    'tenantId',
    'retries',
    'priority',
    'errorMessage',
    'errorDetails',
    'extensionProperties',
    'variables',
  ];
  return {
    ...Object.fromEntries(ids.map((name) => [name, typeof task[name]])),
    lockExpirationTime: TIME.test(task.lockExpirationTime),
    ...Object.fromEntries(same.map((name) => [name, task[name]])),
  };
}
