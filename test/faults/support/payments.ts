/** Orders of examples/temporal-payments: placing them whatever dies, and their ends. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { repositoryRoot } from '../../../dev/repository.js';
import { paymentsExample } from '../../examples/support/payment-workers.js';
import { tokenFor } from '../../support/infrastructure.js';
import type { PaymentsWorld } from './payments-world.js';

export interface PaymentOrder {
  id: string;
  language: string;
  amount: number;
  /** Whether the process is started by REST, or by a coded workflow. */
  by: 'rest' | 'code';
}

export interface EndOfOrder {
  workflowID: string;
  status: string;
  paymentID?: string;
}

const PAUSE_MS = 500;

/** In each language as many as in the others; of ten, one has a card that is declined. */
export function createOrders(count: number, languages: readonly string[]): PaymentOrder[] {
  const batch = randomUUID().slice(0, 8);
  return Array.from({ length: count }, (_, place) => {
    const turn = Math.floor(place / languages.length);
    return {
      id: `order-${batch}-${place}`,
      language: languages[place % languages.length]!,
      amount: turn % 10 === 9 ? 5_000 : 120,
      by: turn % 2 === 0 ? 'rest' : 'code',
    };
  });
}

export class Payments {
  private definitionID = '';

  /** @param patience how many milliseconds a call is repeated that fails */
  constructor(
    private readonly world: PaymentsWorld,
    private readonly client: Client,
    private readonly patience: number,
  ) {}

  /** However often a worker dies, no payment runs out of attempts: that would be an incident, and no instance that ends. */
  async deploy(): Promise<void> {
    const name = 'order-with-payment';
    const xml = readFileSync(join(repositoryRoot, paymentsExample, `${name}.bpmn`), 'utf8').replace(
      'retries="3"',
      'retries="1000"',
    );
    const { id } = await this.untilDone(() => this.call('editor', 'POST', '/bpmn/resources', { body: { name, xml } }));
    await this.untilDone(() => this.call('editor', 'POST', `/bpmn/resources/${id}/deploy`));
    const { processes } = await this.untilDone(() => this.call('editor', 'GET', `/bpmn/resources/${id}`));
    this.definitionID = processes[0].id;
  }

  /** Spreads them over the time. */
  async place(orders: readonly PaymentOrder[], seconds: number): Promise<void> {
    await Promise.all(
      orders.map(async (order, place) => {
        await delay((place * seconds * 1_000) / orders.length);
        await this.untilDone(() => (order.by === 'rest' ? this.start(order) : this.buy(order)));
      }),
    );
  }

  private start({ id: order, language, amount }: PaymentOrder): Promise<unknown> {
    const body = {
      processDefinitionID: this.definitionID,
      businessId: order,
      variables: { order, amount, language },
    };
    return this.call('executor', 'POST', '/bpmn/instances', { body, key: order });
  }

  private async buy({ id: order, language, amount }: PaymentOrder): Promise<void> {
    const { endpoint } = this.world;
    const options = { taskQueue: `payments-${language}`, workflowId: order, args: [{ order, amount, endpoint }] };
    await this.client.workflow.start('buy', options).catch((error: unknown) => {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    });
  }

  /** Of the coded workflows, by order. */
  async results(orders: readonly PaymentOrder[]): Promise<Map<string, unknown>> {
    const bought = orders.filter(({ by }) => by === 'code');
    const result = async ({ id }: PaymentOrder) =>
      [id, await this.untilDone(() => this.client.workflow.getHandle(id).result())] as const;
    return new Map(await Promise.all(bought.map(result)));
  }

  async instancesOf({ id }: PaymentOrder): Promise<EndOfOrder[]> {
    const query = `businessId=${encodeURIComponent(id)}`;
    const { data } = await this.untilDone(() => this.call('viewer', 'GET', `/bpmn/instances?${query}`));
    return Promise.all(
      (data as EndOfOrder[]).map(async ({ workflowID, status }) => {
        const path = `/bpmn/instances/${workflowID}/variables`;
        const { variables } = await this.untilDone(() => this.call('viewer', 'GET', path));
        return { workflowID, status, paymentID: variables.paymentID };
      }),
    );
  }

  /** Bodies of every shape. */
  private async call(
    account: string,
    method: string,
    path: string,
    { body, key }: { body?: object; key?: string } = {},
  ): Promise<any> {
    const response = await fetch(`${this.world.api}/projects/demo${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await tokenFor(account)}`,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response.status === 204 ? undefined : response.json();
  }

  /** The processes that the call needs may be dead. */
  private async untilDone<T>(work: () => Promise<T>): Promise<T> {
    for (const deadline = Date.now() + this.patience; ; await delay(PAUSE_MS))
      try {
        return await work();
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
  }
}
