/**
 * Instances that depend on what orders do not use: a message that may come before its subscription, a signal for
 * everyone, a timer. Its variables at the end show what it has received.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { unwrap, ApiError } from '@perdure/client';
import type { Shop } from '../../examples/order-fulfilment/settings.js';
import type { Random } from '../engine/random/random.js';

/** The correlation keys of a parcel: of its name and of its payment. */
export interface Label {
  /** The business id of its instance. */
  id: string;
  /** Its message is correlated by; a number and the string of its digits are different parcels. */
  key: string | number;
  paidBy: string;
}

export interface Parcel extends Label {
  projectID: string;
  workflowID: string;
}

export const parcelModel = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="parcel-file" targetNamespace="http://perdure.example/parcel">
  <bpmn:message id="paid" name="parcel paid">
    <bpmn:extensionElements><zeebe:subscription correlationKey="=parcelID" /></bpmn:extensionElements>
  </bpmn:message>
  <bpmn:signal id="open" name="gates open" />
  <bpmn:process id="parcel" isExecutable="true">
    <bpmn:startEvent id="begin"><bpmn:outgoing>f1</bpmn:outgoing></bpmn:startEvent>
    <bpmn:sequenceFlow id="f1" sourceRef="begin" targetRef="fork" />
    <bpmn:parallelGateway id="fork" />
    <bpmn:sequenceFlow id="f2" sourceRef="fork" targetRef="payment" />
    <bpmn:sequenceFlow id="f3" sourceRef="fork" targetRef="gates" />
    <bpmn:sequenceFlow id="f4" sourceRef="fork" targetRef="rest" />
    <bpmn:intermediateCatchEvent id="payment"><bpmn:messageEventDefinition id="d1" messageRef="paid" /></bpmn:intermediateCatchEvent>
    <bpmn:intermediateCatchEvent id="gates"><bpmn:signalEventDefinition id="d2" signalRef="open" /></bpmn:intermediateCatchEvent>
    <bpmn:intermediateCatchEvent id="rest">
      <bpmn:timerEventDefinition id="d3"><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT3S</bpmn:timeDuration></bpmn:timerEventDefinition>
    </bpmn:intermediateCatchEvent>
    <bpmn:sequenceFlow id="f5" sourceRef="payment" targetRef="join" />
    <bpmn:sequenceFlow id="f6" sourceRef="gates" targetRef="join" />
    <bpmn:sequenceFlow id="f7" sourceRef="rest" targetRef="join" />
    <bpmn:parallelGateway id="join" />
    <bpmn:sequenceFlow id="f8" sourceRef="join" targetRef="end" />
    <bpmn:endEvent id="end" />
  </bpmn:process>
</bpmn:definitions>`;

const BEFORE_ANOTHER_ATTEMPT_MS = 100;

/** Deploys the model; answers the id of its version. */
export async function deployParcels({ client, projectID }: Shop): Promise<string> {
  const body = { name: 'parcel.bpmn', xml: parcelModel };
  const { id: resourceID } = await unwrap(
    client.POST('/projects/{projectID}/bpmn/resources', { params: { path: { projectID } }, body }),
  );
  const params = { path: { projectID, resourceID } };
  await unwrap(client.POST('/projects/{projectID}/bpmn/resources/{resourceID}/deploy', { params }));
  const { processes = [] } = await unwrap(client.GET('/projects/{projectID}/bpmn/resources/{resourceID}', { params }));
  return processes[0]!.id;
}

/** Starts a parcel and publishes its message, in either order; each is sent until it is acknowledged. */
export async function sendParcel(
  shop: Shop,
  processDefinitionID: string,
  label: Label,
  random: Random,
): Promise<Parcel> {
  const { client, projectID } = shop;
  const { id, key, paidBy } = label;
  const start = () => {
    const params = { path: { projectID }, header: { 'Idempotency-Key': `start-${id}` } };
    return unwrap(
      client.POST('/projects/{projectID}/bpmn/instances', {
        params,
        body: { processDefinitionID, businessId: id, variables: { parcelID: key } },
      }),
    );
  };
  const pay = () => {
    const params = { path: { projectID }, header: { 'Idempotency-Key': `pay-${id}` } };
    return unwrap(
      client.POST('/projects/{projectID}/bpmn/messages', {
        params,
        body: { messageName: 'parcel paid', correlationKeys: key, variables: { paidBy } },
      }),
    );
  };
  const isPaidFirst = random.chance(0.5);
  if (isPaidFirst) await untilAcknowledged(pay);
  const { workflowID } = await untilAcknowledged(start);
  if (!isPaidFirst) await untilAcknowledged(pay);
  return { ...label, projectID, workflowID };
}

/** Opens the gates for everyone who waits or comes to wait within ten minutes. */
export async function openGates({ client, projectID }: Shop, round: number): Promise<void> {
  const params = { path: { projectID }, header: { 'Idempotency-Key': `gates-${round}` } };
  await untilAcknowledged(() =>
    unwrap(
      client.POST('/projects/{projectID}/bpmn/signals', {
        params,
        body: { signalName: 'gates open', variables: { round }, ttl: '10m' },
      }),
    ),
  );
}

/** Whether the parcel is known to wait at the gates; false without a response. */
export async function waitsAtGates({ client, projectID }: Shop, { workflowID }: Parcel): Promise<boolean> {
  const looked = unwrap(
    client.GET('/projects/{projectID}/bpmn/instances/{workflowID}', { params: { path: { projectID, workflowID } } }),
  );
  const instance = await looked.catch(() => undefined);
  return instance?.activeScopes.some(({ activeNodes }) => 'gates' in activeNodes) ?? false;
}

/** Sends again what got no answer, or no other than that the host is down or the definition paused. */
export async function untilAcknowledged<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (error instanceof ApiError && !isForNow(error)) throw error;
      await pause(BEFORE_ANOTHER_ATTEMPT_MS);
    }
  }
}

function isForNow({ isTemporary, status, code }: ApiError): boolean {
  return isTemporary || status === 401 || code === 'DEFINITION_SUSPENDED';
}
