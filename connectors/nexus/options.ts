import type { Client } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Database } from '../../store/sql/database.js';
import type { NexusServed } from '../temporal/configuration.js';

export interface OperationRequest {
  readonly endpoint: string;
  readonly projectID: string;
  readonly operationID: 'StartBpmnInstance' | 'PublishBpmnMessage' | 'PublishBpmnSignal' | 'CancelBpmnInstance';
  /** For an operation on an instance. */
  readonly workflowID?: string;
  readonly body?: unknown;
  /** A request with the same id has no second effect. */
  readonly requestID?: string;
  /** Until when Temporal may repeat the request. */
  readonly repeatedUntil?: Date;
  readonly signal: AbortSignal;
}

export interface Refusal {
  readonly kind: 'refused';
  /** Of HTTP. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

type OperationAnswer = { readonly kind: 'done'; readonly body: unknown } | Refusal;

export interface NexusOptions {
  readonly store: Database;
  /** Signals the workflows that wait for instances. */
  readonly client: Client;
  readonly connection: NativeConnection;
  readonly namespace: string;
  /** The task queue of the instances. */
  readonly taskQueue: string;
  readonly served: NexusServed;
  /** Encrypts what the callers read; undefined if they do not know our keys. */
  readonly encryption: PayloadCodec | undefined;
  /** The bundle of `../temporal/runner/`. */
  readonly bundlePath: string;
  readonly logger: Logger;
  /** Calls an operation of the API in the name of an endpoint. Never rejects. */
  call(request: OperationRequest): Promise<OperationAnswer>;
}
