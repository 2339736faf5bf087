import type { Variables } from '@perdure/engine/contract/json.js';

/** A job that failed, as it is reported to its instance. The message has no secret and no value of a variable. */
export class TaskError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly options: {
      /** Whether another attempt can help. Otherwise the job fails with a BPMN error at once. */
      readonly retryable?: boolean;
      readonly retryAfterMilliseconds?: number | undefined;
      readonly variables?: Variables | undefined;
    } = {},
  ) {
    super(message);
    this.name = 'TaskError';
  }
}
