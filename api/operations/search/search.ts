import type { z } from 'zod';
import { findDefinition } from '../../../store/definitions/definitions.js';
import { searchCursorKey } from '../../../store/search/cursor-key.js';
import { searchWindow } from '../../../store/search/window.js';
import type { ApiContext } from '../../context.js';
import { defineOperation } from '../../commands/define-operation.js';
import type { Operation } from '../../commands/operation.js';
import { notFound, problem, type Problem } from '../../contract/problem.js';
import { readCursor, writeCursor, type Binding, type Position } from '../../search/cursor.js';
import type { BadPredicate } from '../../search/predicate.js';
import type { FoundMatch } from '../../search/evaluation.js';
import { scan, type Scan } from '../../search/scan.js';
import { checkInTurn, evaluateInThread, type Evaluate } from '../../search/threads.js';
import { dateOf, optional, time } from '../../contract/wire.js';
import { searchRequest, searchResponse } from './shared/schemas.js';

interface SearchOptions {
  /** A page returns what it has found by then. */
  readonly deadlineMilliseconds: number;
  readonly evaluate: Evaluate;
}

export const searchBpmnInstances = createSearch({ deadlineMilliseconds: 30_000, evaluate: evaluateInThread });

/** The search operation; tests can shorten the deadline or provide their own threads. */
export function createSearch({ deadlineMilliseconds, evaluate }: SearchOptions): Operation {
  return defineOperation({
    operationID: 'SearchBpmnInstances',
    method: 'POST',
    path: '/projects/{projectID}/bpmn/instances/search',
    role: 'viewer',
    summary: 'Search instances by a FEEL predicate',
    description:
      'Evaluates the predicate over the captured variables of the instances of one definition, newest first. Filters are applied before the predicate. An instance that lacks a variable of the predicate, or for ' +
      'which the predicate is neither true nor false, does not match and is counted in `predicateErrors`. A page ends at `limit` matches, at ' +
      'the end of the window, or at a deadline of 30 seconds. `nextCursor` resumes exactly there, with the same definition, predicate, and filters.',
    request: { body: searchRequest },
    responses: { 200: { description: 'Page of matches, with scan statistics', schema: searchResponse } },
    problems: [],
    countsAs: 'search',
    // The page ends itself at its deadline, but waiting for the turns of other searches can delay that.
    deadlineSeconds: 60,
  }).handle(async ({ params: { projectID }, body, context, signal, turns }) => {
    const predicate = await checkInTurn(body.predicate, turns);
    if (!predicate.ok) return badPredicate(predicate);
    const definition = await findDefinition(context.store, projectID, body.definitionID);
    if (definition === undefined) return notFound(`no definition ${body.definitionID} in ${projectID}`);
    const key = await searchCursorKey(context.store);
    const binding = bindingOf(projectID, body);
    const position = await positionOf(context, { projectID, body, key, binding });
    if (position === undefined) return badCursor();
    const { limit } = body;
    const { names, prefilter } = predicate;
    const timed = context.metrics.searchSeconds.startTimer();
    const found = await scan(context.store, evaluate, {
      filter: filterOf(projectID, body),
      predicate: body.predicate,
      names,
      prefilter,
      ...position,
      limit,
      deadlineMilliseconds,
      turns,
      signal,
    });
    timed();
    context.metrics.searchedInstances.inc(found.evaluated + found.predicateErrors);
    const nextCursor = found.exhausted ? null : writeCursor(key, binding, { ...position, below: found.below });
    return { status: 200, body: toResponse(found, body.definitionID, nextCursor) };
  });
}

type SearchBody = z.output<typeof searchRequest>;

/**
 * The position of the cursor, or the current upper end of the window without one. Undefined when the cursor does not
 * match the search.
 */
async function positionOf(
  { store }: ApiContext,
  { projectID, body, key, binding }: { projectID: string; body: SearchBody; key: Buffer; binding: Binding },
): Promise<Position | undefined> {
  if (body.cursor !== undefined) return readCursor(key, binding, body.cursor);
  return { below: (await searchWindow(store, projectID, body.definitionID)) + 1, now: Date.now() };
}

function filterOf(projectID: string, body: SearchBody) {
  const { definitionID, status, hasIncident, businessId } = body;
  return {
    projectID,
    definitionID,
    status,
    hasIncident,
    businessID: businessId,
    createdAfter: dateOf(body.createdAfter),
    createdBefore: dateOf(body.createdBefore),
  };
}

/** Only the limit can change from page to page. */
function bindingOf(
  projectID: string,
  { definitionID, predicate, status, hasIncident, businessId, createdAfter, createdBefore }: SearchBody,
): Binding {
  return [
    projectID,
    definitionID,
    predicate,
    status ?? null,
    hasIncident ?? null,
    businessId ?? null,
    createdAfter ?? null,
    createdBefore ?? null,
  ];
}

function toResponse(found: Scan, definitionID: string, nextCursor: string | null): z.output<typeof searchResponse> {
  const { evaluated, predicateErrors, firstPredicateError, exhausted, deadlineHit } = found;
  return {
    matches: found.matches.map((match) => toMatch(match, definitionID)),
    nextCursor,
    scanned: evaluated + predicateErrors,
    evaluated,
    predicateErrors,
    firstPredicateError,
    exhausted,
    deadlineHit,
  };
}

function toMatch(
  { details, variables }: FoundMatch,
  definitionID: string,
): z.output<typeof searchResponse>['matches'][number] {
  const [workflowID, status, businessID, hasIncident, createdAt, capturedAt] = details;
  return {
    workflowID,
    definitionID,
    status,
    businessId: optional(businessID),
    hasIncident,
    createdAt: time(new Date(createdAt)),
    capturedAt: time(new Date(capturedAt)),
    variables,
  };
}

function badPredicate({ problems }: BadPredicate): Problem<'BAD_REQUEST'> {
  const { line, column, message } = problems[0]!;
  return problem(
    'BAD_REQUEST',
    `The predicate is not a valid FEEL expression at line ${line}, column ${column}: ${message}`,
    {
      details: { predicate: problems },
    },
  );
}

function badCursor(): Problem<'BAD_REQUEST'> {
  return problem(
    'BAD_REQUEST',
    'The cursor does not belong to this search. Send the nextCursor of the previous page with the same project, definition, predicate, and filters.',
  );
}
