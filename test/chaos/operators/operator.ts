/** An operator that repairs instances and records requests and responses. */
import { setTimeout as pause } from 'node:timers/promises';
import type { TimelineKind } from '../../../store/instances/timeline.js';
import type { Answer, Caller } from '../caller.js';

/** Something that was asked for, as often as it has to be in the instance's timeline. */
export interface Action {
  workflowID: string;
  kind: TimelineKind;
  /** Distinguishes the request from others of its kind, if the operation takes an id. */
  reason?: string;
  least: number;
  most: number;
  /** Requests that were sent for it. */
  sent: number;
}

export interface Asked {
  kind: TimelineKind;
  workflowID: string;
  method: string;
  /** Below the instance. */
  path?: string;
  json?: object;
  reason?: string;
}

const BETWEEN_LOOKS_MS = 300;
/** How an operation is refused that an earlier, unanswered attempt has carried out. */
const DONE_BEFORE = new Set([404, 409]);

export class Operator {
  readonly actions: Action[] = [];

  constructor(
    readonly caller: Caller,
    readonly projectID: string,
  ) {}

  /** Asks until there is an answer; for what has the effect of one, however often it is asked for. */
  async ask(asked: Asked): Promise<Answer> {
    const { lost, ...answer } = await this.caller.send(...requestOf(this.projectID, asked));
    // Only a resolve is refused for no other reason than that it has been done.
    const isDone = isYes(answer) || (asked.kind === 'RESOLVE_INCIDENT' && lost > 0 && DONE_BEFORE.has(answer.status));
    this.#note(asked, { least: isDone ? 1 : 0, most: isDone ? 1 : lost, sent: lost + 1 });
    return answer;
  }

  /** Sets variables: each attempt is its own entry. */
  async askAgainAndAgain(asked: Asked): Promise<Answer> {
    const { lost, ...answer } = await this.caller.send(...requestOf(this.projectID, asked));
    this.#note(asked, { least: isYes(answer) ? 1 : 0, most: lost + 1, sent: lost + 1 });
    return answer;
  }

  /** Sends one request. Undefined if its outcome is unknown. */
  async askOnce(asked: Asked): Promise<Answer | undefined> {
    const answer = await this.caller.attempt(...requestOf(this.projectID, asked));
    this.#note(asked, { least: answer && isYes(answer) ? 1 : 0, most: answer && !isYes(answer) ? 0 : 1, sent: 1 });
    return answer;
  }

  /** Starts an instance once; answers its workflowID. */
  async start(processDefinitionID: string, businessId: string, variables: object): Promise<string> {
    const answer = await this.caller.send(
      'POST',
      `/projects/${this.projectID}/bpmn/instances`,
      { processDefinitionID, businessId, variables },
      { 'Idempotency-Key': businessId },
    );
    if (isYes(answer)) return answer.body.workflowID as string;
    throw new Error(`The start of ${businessId} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  /** The response for a path below an instance, once it `suffices`. */
  async until(workflowID: string, path: string, suffices: (body: any) => boolean): Promise<any> {
    for (;;) {
      const body = await this.look(workflowID, path);
      if (suffices(body)) return body;
      await pause(BETWEEN_LOOKS_MS);
    }
  }

  async look(workflowID: string, path = ''): Promise<any> {
    const { status, body } = await this.caller.send(
      'GET',
      `/projects/${this.projectID}/bpmn/instances/${workflowID}${path}`,
    );
    if (status !== 200)
      throw new Error(`GET ${path || 'the instance'} of ${workflowID} was answered ${status} ${JSON.stringify(body)}`);
    return body;
  }

  #note({ workflowID, kind, reason }: Asked, times: Pick<Action, 'least' | 'most' | 'sent'>): void {
    this.actions.push({ workflowID, kind, ...(reason !== undefined && { reason }), ...times });
  }
}

export function isYes({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

function requestOf(
  projectID: string,
  { workflowID, method, path = '', json, reason }: Asked,
): [string, string, object | undefined] {
  const address = `/projects/${projectID}/bpmn/instances/${workflowID}${path}`;
  if (method === 'DELETE')
    return [method, reason === undefined ? address : `${address}?reason=${encodeURIComponent(reason)}`, undefined];
  return [method, address, { ...json, ...(reason !== undefined && { reason }) }];
}
