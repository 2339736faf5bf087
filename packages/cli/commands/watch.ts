import { printable } from '@perdure/lib/trust/printable.js';
import { setTimeout as delay } from 'node:timers/promises';
import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command, type Invocation } from '../command.js';
import type { Host } from '../host.js';
import { show } from '../terminal.js';

const BETWEEN_LOOKS_MS = 500;
const PAGE_SIZE = 100;

export const watch: Command = {
  name: 'watch',
  role: 'viewer',
  operands: 'WORKFLOW_ID',
  summary: 'Follow an instance until it ends',
  details: 'One line for each element that starts or ends, and for each incident.',
  examples: ['perdure watch 9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11'],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run(invocation) {
    const { operands, signal } = invocation;
    const host = await invocation.host();
    const watched = new Watched(host, operands[0]!, invocation);
    while (!signal.aborted) {
      const status = await watched.look();
      if (status !== 'RUNNING') return status === 'COMPLETED' ? exitCodes.done : exitCodes.refused;
      await delay(BETWEEN_LOOKS_MS, undefined, { signal }).catch(() => undefined);
    }
    return exitCodes.done;
  },
};

type Entry = Schemas['BpmnActivityState'];

/** The start or the end of an element. */
interface ElementEvent {
  readonly key: string;
  readonly time: string | undefined;
  readonly nodeID: string | undefined;
  readonly what: string;
}

function eventsOf(index: number, { nodeID, nodeType, status, startTime, endTime, loopCounter }: Entry): ElementEvent[] {
  const element = loopCounter === undefined ? nodeType : `${nodeType} ${loopCounter}`;
  const started = { key: `${index} Started`, time: startTime, nodeID, what: `${element} Started` };
  if (status === 'Started') return [started];
  return [started, { key: `${index} ended`, time: endTime, nodeID, what: `${element} ${status}` }];
}

/** The history lists an element once, by its start: the end of a sub-process would precede those of its elements. */
function inOrderOfTime(events: readonly ElementEvent[]): ElementEvent[] {
  return events.toSorted((left, right) => Date.parse(left.time ?? '') - Date.parse(right.time ?? '') || 0);
}

/** Tracks which events of one instance have been shown. */
class Watched {
  readonly #host: Host;
  readonly #workflowID: string;
  readonly #invocation: Invocation;
  readonly #shown = new Set<string>();
  /** Pages before this one contain only ended elements, all of them shown. */
  #firstPage = 1;

  constructor(host: Host, workflowID: string, invocation: Invocation) {
    this.#host = host;
    this.#workflowID = workflowID;
    this.#invocation = invocation;
  }

  /** Shows new events and returns the status of the instance. */
  async look(): Promise<Schemas['BpmnInstanceState']['status']> {
    // Read first, so that the end is never shown before the events that led to it.
    const { signal } = this.#invocation;
    const {
      status,
      incidents = [],
      failureReason,
    } = await unwrap<Schemas['BpmnInstanceState']>(
      this.#host.client.GET('/projects/{projectID}/bpmn/instances/{workflowID}', {
        params: { path: this.#path },
        signal,
      }),
    );
    await this.#showHistory();
    for (const { incidentID, nodeID, errorType, errorMessage, timestamp } of incidents) {
      this.#showOnce(
        `incident ${incidentID}`,
        new Date(timestamp ?? 0).toISOString(),
        nodeID,
        `incident ${errorType}: ${errorMessage}`,
      );
    }
    if (status !== 'RUNNING')
      this.#showOnce(
        'end',
        undefined,
        undefined,
        failureReason === undefined ? `${status}` : `${status}: ${failureReason}`,
      );
    return status;
  }

  async #showHistory(): Promise<void> {
    for (let page = this.#firstPage; ; page += 1) {
      const params = { path: this.#path, query: { page, pageSize: PAGE_SIZE } };
      const { data, pagination } = await unwrap<Schemas['BpmnActivityStatePaginatedResponse']>(
        this.#host.client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/history', {
          params,
          signal: this.#invocation.signal,
        }),
      );
      const first = (page - 1) * PAGE_SIZE;
      const events = data.flatMap((entry, index) => eventsOf(first + index, entry));
      for (const { key, time, nodeID, what } of inOrderOfTime(events)) this.#showOnce(key, time, nodeID, what);
      const isSettled = data.length === PAGE_SIZE && data.every(({ status }) => status !== 'Started');
      if (isSettled && page === this.#firstPage) this.#firstPage += 1;
      if (page >= pagination.totalPages) return;
    }
  }

  #showOnce(key: string, time: string | undefined, nodeID: string | undefined, what: string): void {
    if (this.#shown.has(key)) return;
    this.#shown.add(key);
    const { terminal } = this.#invocation;
    const line = { ...(time !== undefined && { time }), ...(nodeID !== undefined && { nodeID }), what };
    show(terminal, line, () => [printable([time, nodeID, what].filter((part) => part !== undefined).join('  '))]);
  }

  get #path() {
    return { projectID: this.#host.projectID, workflowID: this.#workflowID };
  }
}
