import { z } from 'zod';
import type { Caller } from '../../access/caller.js';
import { commandDeadlineSeconds } from '../../commands/commands.js';
import { defineOperation } from '../../commands/define-operation.js';
import { problem } from '../../contract/problem.js';
import { modelIdentifier, queryInteger, queryWords } from '../../contract/schemas.js';
import { serverSentEvents } from './shared/server-sent-events.js';
import { feedProblem, feedRequest, isPart } from './shared/feed.js';
import { eventsForReader } from './shared/for-reader.js';
import { follow } from './shared/follow.js';
import { cloudEvent, eventsPart, position, publicTypes } from './shared/schemas.js';

const PART_OF_STREAM = 100;

const filters = {
  after: position.optional().describe('Absent: from now. `0`: from the oldest event.'),
  types: queryWords(publicTypes).optional(),
  processId: modelIdentifier.optional(),
};

export const listEvents = defineOperation({
  operationID: 'ListEvents',
  method: 'GET',
  path: '/projects/{projectID}/events',
  role: 'viewer',
  summary: 'Follow the events of a project',
  description:
    'Returns events as CloudEvents, in the order of their positions. Following `next` misses no event and repeats none. ' +
    'With `Prefer: wait=N`, waits for the first one. `Accept: text/event-stream` returns a stream of the same events, ' +
    'which ends with the token that opened it, and after 15 minutes at the latest; a caller may read four at once. ' +
    'Viewers do not get `assignee`, `actor`, `name`, and `dueDate` of events of a user task, unless it names them; their `subject` is the instance. ' +
    'CONFLICT: the project has no `eventRetention`. POSITION_EXPIRED: `details.oldest` is the position to continue after.',
  request: {
    query: z.strictObject({ ...filters, limit: queryInteger({ minimum: 1, maximum: 1000 }).default(100) }),
  },
  responses: { 200: { description: 'Events after the position', schema: eventsPart } },
  problems: ['CONFLICT', 'POSITION_EXPIRED'],
  accepts: ['Last-Event-ID'],
  waits: 'news',
  deadlineSeconds: commandDeadlineSeconds,
  lines: { query: z.strictObject(filters), item: cloudEvent, format: serverSentEvents },
}).handle(
  async ({ params, query, headers, context, caller, signal }) => {
    const request = await feedRequest(context, params.projectID, query, query.limit);
    const wait = headers.preferredWaitMilliseconds ?? 0;
    const found = request && (await context.notifications.readEvents(context.store, request, wait, signal));
    if (!isPart(found)) return feedProblem(found);
    const data = await eventsForReader(context.store, caller, params.projectID, found.events);
    return { status: 200, body: { data, next: found.next } };
  },
  {
    async readLines({ params, query, headers, context, caller, signal }) {
      const { projectID } = params as { projectID: string };
      const given = query as z.output<z.ZodObject<typeof filters>>;
      const after = headers.lastEventID ?? given.after;
      if (after !== undefined && !position.safeParse(after).success)
        return problem('BAD_REQUEST', 'Last-Event-ID: must be a position, such as 1042');
      const request = await feedRequest(context, projectID, { ...given, after }, PART_OF_STREAM);
      if (request === undefined) return feedProblem(undefined);
      const found = await context.notifications.readEvents(context.store, request, 0, signal);
      return isPart(found) ? follow({ context, caller: caller as Caller, signal }, request, found) : feedProblem(found);
    },
  },
);
