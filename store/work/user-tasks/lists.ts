/** Lists of user tasks: of a project, of an instance, and the inbox of a person. */
import type { Queryable } from '../../sql/database.js';
import { Filter, listPage, type ListQuery, type Order, type Page, type PageRequest } from '../../sql/page.js';
import { streamRows } from '../../sql/stream.js';
import {
  toUserTask,
  userTaskColumns,
  userTaskJoins,
  type UserTask,
  type UserTaskRecord,
  type UserTaskStatus,
} from './tasks.js';

export const userTaskSorts = ['createdAt', 'dueDate', 'priority', 'completedAt'] as const;

export interface UserTaskFilter {
  workflowID?: string | undefined;
  statuses?: readonly UserTaskStatus[] | undefined;
  assignee?: string | undefined;
  candidateUser?: string | undefined;
  candidateGroup?: string | undefined;
  /** Tasks that name this person: as assignee, as candidate user, or through a group. */
  person?: { subject: string; groups: readonly string[] } | undefined;
  unassigned?: boolean | undefined;
  businessID?: string | undefined;
  definitionID?: string | undefined;
  processID?: string | undefined;
  nodeID?: string | undefined;
  nameContains?: string | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  completedAfter?: Date | undefined;
  completedBefore?: Date | undefined;
  dueAfter?: Date | undefined;
  dueBefore?: Date | undefined;
  /** Also finds tasks without a follow-up date. */
  followUpBefore?: Date | undefined;
}

export interface UserTaskPageRequest extends PageRequest {
  sort: (typeof userTaskSorts)[number];
  order: Order;
}

/** One page of the user tasks of a project. */
export async function listUserTasks(
  database: Queryable,
  projectID: string,
  filter: UserTaskFilter,
  page: UserTaskPageRequest,
): Promise<Page<UserTask>> {
  const conditions = conditionsOf(projectID, filter);
  const query: ListQuery = { ...userTasks, filter: conditions, orderBy: orderBy(page, isOver(filter)) };
  const { data, ...totals } = await listPage<UserTaskRecord>(database, query, page);
  return { data: data.map(toUserTask), ...totals };
}

/** All user tasks that match, in the order of their creation. */
export async function* streamUserTasks(
  database: Queryable,
  projectID: string,
  filter: UserTaskFilter,
  order: Order,
): AsyncGenerator<UserTask> {
  const query = { ...userTasks, filter: conditionsOf(projectID, filter), key: streamKey };
  for await (const record of streamRows<UserTaskRecord>(database, query, order)) yield toUserTask(record);
}

const userTasks = { columns: userTaskColumns, table: 'user_tasks t', joins: userTaskJoins };

const streamKey = [
  { column: 't.created_at', type: 'timestamptz' },
  { column: 't.workflow_id', type: 'text' },
  { column: 't.number', type: 'integer' },
] as const;

function conditionsOf(projectID: string, given: UserTaskFilter): Filter {
  const filter = new Filter()
    .where('t.project_id = ?', projectID)
    .whereGiven('t.workflow_id = ?', given.workflowID)
    .whereAny('t.status', given.statuses)
    .whereGiven('t.assignee = ?', given.assignee)
    .whereGiven(namesUser, given.candidateUser)
    .whereGiven("t.candidate_groups <> '{}' AND t.candidate_groups @> ARRAY[?::text]", given.candidateGroup)
    .whereJoined('i.project_id = t.project_id AND i.business_id = ?', given.businessID)
    .whereJoined('i.definition_id = ?::uuid', given.definitionID)
    .whereJoined('d.process_id = ?', given.processID)
    .whereGiven('t.node_id = ?', given.nodeID)
    .whereJoined('strpos(lower(n.name), lower(?)) > 0', given.nameContains)
    .whereGiven('t.created_at > ?', given.createdAfter)
    .whereGiven('t.created_at <= ?', given.createdBefore)
    .whereGiven('t.completed_at > ?', given.completedAfter)
    .whereGiven('t.completed_at <= ?', given.completedBefore)
    .whereGiven('t.due_date > ?', given.dueAfter)
    .whereGiven('t.due_date <= ?', given.dueBefore)
    .whereGiven('(t.follow_up_date IS NULL OR t.follow_up_date <= ?)', given.followUpBefore);
  if (given.unassigned !== undefined)
    filter.whereTrue(given.unassigned ? 't.assignee IS NULL' : 't.assignee IS NOT NULL');
  if (isOver(given)) filter.whereTrue('t.completed_at IS NOT NULL');
  if (given.person) concerns(filter, given.person);
  return filter;
}

const namesUser = "t.candidate_users <> '{}' AND t.candidate_users @> ARRAY[?::text]";

function concerns(filter: Filter, { subject, groups }: { subject: string; groups: readonly string[] }): void {
  const inGroup = filter.placeholder(groups);
  filter.where(
    `(t.assignee = ? OR (${namesUser}) OR (t.candidate_groups <> '{}' AND t.candidate_groups && ${inGroup}::text[]))`,
    subject,
  );
}

/** Whether the filter excludes open tasks, so that every task found has ended at some time. */
function isOver({ statuses, completedAfter, completedBefore }: UserTaskFilter): boolean {
  if (completedAfter !== undefined || completedBefore !== undefined) return true;
  return statuses !== undefined && !statuses.includes('CREATED');
}

/** Each order is that of an index `user_tasks_*`. */
function orderBy({ sort, order }: UserTaskPageRequest, over: boolean): string {
  const direction = order.toUpperCase();
  const ties = `t.workflow_id ${direction}, t.number ${direction}`;
  switch (sort) {
    case 'createdAt':
      return `t.created_at ${direction}, t.workflow_id, t.number DESC`;
    case 'dueDate':
      return `t.due_date ${direction} NULLS LAST, ${ties}`;
    case 'priority':
      return `t.priority ${direction}, ${ties}`;
    case 'completedAt':
      return `t.completed_at ${direction}${over ? '' : ' NULLS LAST'}, ${ties}`;
  }
}
