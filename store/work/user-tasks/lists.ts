/** Lists of user tasks: of a project, of an instance, and the inbox of a person. */
import type { Queryable } from '../../sql/database.js';
import {
  filterBy,
  filterByTime,
  filterByTruth,
  filterByWords,
  joined,
  type FilterValues,
  type ListFilter,
} from '../../lists/filters.js';
import {
  readPage,
  slowOrders,
  streamList,
  type Direction,
  type List,
  type Restriction,
  type SortedPageRequest,
} from '../../lists/list.js';
import type { Order, Page } from '../../sql/page.js';
import {
  toUserTask,
  userTaskColumns,
  userTaskValues,
  userTaskJoins,
  type UserTask,
  type UserTaskRecord,
  userTaskStatuses,
} from './tasks.js';

export const userTaskSorts = ['createdAt', 'dueDate', 'priority', 'completedAt'] as const;

export type UserTaskSort = (typeof userTaskSorts)[number];

const namesUser = "t.candidate_users <> '{}' AND t.candidate_users @> ARRAY[?::text]";

const statusWords = filterByWords('Status', 't.status', userTaskStatuses);
/** Every task that has ended has a time of its end, which an index is about. */
const byStatus: ListFilter<'words'> = {
  ...statusWords,
  where(conditions, values, all) {
    statusWords.where(conditions, values, all);
    if (!values.includes('CREATED')) conditions.whereTrue('t.completed_at IS NOT NULL');
  },
};

/** Filters of all lists of user tasks. */
export const inboxFilters = {
  workflowID: filterBy('workflowID', 'Instance', 't.workflow_id = ?'),
  businessId: joined(filterBy('name', 'Business id', 'i.project_id = t.project_id AND i.business_id = ?')),
  definitionID: joined(filterBy('uuid', 'Version id', 'i.definition_id = ?::uuid')),
  processId: joined(filterBy('modelID', 'Process id', 'd.process_id = ?')),
  nodeID: filterBy('modelID', 'Node id', 't.node_id = ?'),
  nameContains: joined(filterBy('substring', 'Name contains', 'strpos(lower(n.name), lower(?)) > 0')),
  unassigned: filterByTruth('Assignment', ['Unassigned', 't.assignee IS NULL'], ['Assigned', 't.assignee IS NOT NULL']),
  createdAfter: filterByTime('Created after', 't.created_at', 'after'),
  createdBefore: filterByTime('Created before', 't.created_at', 'until'),
  completedAfter: filterByTime('Ended after', 't.completed_at', 'after'),
  completedBefore: filterByTime('Ended before', 't.completed_at', 'until'),
  dueAfter: filterByTime('Due after', 't.due_date', 'after'),
  dueBefore: filterByTime('Due before', 't.due_date', 'until'),
  /** Also finds tasks without a follow-up date. */
  followUpBefore: filterByTime(
    'Follow up before',
    't.follow_up_date',
    'until',
    (isReached) => `(t.follow_up_date IS NULL OR ${isReached})`,
  ),
};

export const userTaskFilters = {
  ...inboxFilters,
  status: byStatus,
  assignee: filterBy('text', 'Assignee', 't.assignee = ?'),
  candidateUser: filterBy('text', 'Candidate user', namesUser),
  candidateGroup: filterBy(
    'text',
    'Candidate group',
    "t.candidate_groups <> '{}' AND t.candidate_groups @> ARRAY[?::text]",
  ),
};

export type UserTaskFilter = FilterValues<typeof userTaskFilters>;

/** Tasks without the value of a sort, which an index of their state has in this order. */
const byCreation = (direction: Direction) => `t.created_at ${direction}, t.workflow_id, t.number DESC`;

/** Only open tasks have indexes of these orders: others would cost every end a write for lists that are rarely read. */
const slowUnlessOpen = { filter: 'status', value: 'CREATED' } as const;

const userTaskList: List<typeof userTaskFilters, UserTaskSort> = {
  columns: userTaskColumns,
  values: userTaskValues,
  table: 'user_tasks t',
  joins: userTaskJoins,
  projectColumn: 't.project_id',
  filters: userTaskFilters,
  sorts: {
    createdAt: { by: byCreation, slowWith: { ASC: ['completedAfter'], DESC: ['completedBefore'] } },
    dueDate: {
      by: (direction) => `t.due_date ${direction}, t.workflow_id ${direction}, t.number ${direction}`,
      missing: {
        column: 't.due_date',
        by: byCreation,
        matches: ({ dueAfter, dueBefore }) => (dueAfter === undefined && dueBefore === undefined ? 'both' : 'with'),
      },
      slowWithout: slowUnlessOpen,
    },
    priority: {
      by: (direction) => `t.priority ${direction}, t.workflow_id ${direction}, t.number ${direction}`,
      slowWithout: slowUnlessOpen,
    },
    completedAt: {
      by: (direction) => `t.completed_at ${direction}, t.workflow_id ${direction}, t.number ${direction}`,
      missing: {
        column: 't.completed_at',
        by: byCreation,
        matches: ({ status, completedAfter, completedBefore }) => {
          if (completedAfter !== undefined || completedBefore !== undefined) return 'with';
          if (status === undefined) return 'both';
          if (!status.includes('CREATED')) return 'with';
          return status.every((one) => one === 'CREATED') ? 'without' : 'both';
        },
      },
      slowWith: { ASC: ['createdAfter'], DESC: ['createdBefore'] },
    },
  },
  key: [
    { column: 't.created_at', type: 'timestamptz' },
    { column: 't.workflow_id', type: 'text' },
    { column: 't.number', type: 'integer' },
  ],
};

export const slowUserTaskOrders = slowOrders(userTaskList);

/** A person, whose inbox has the tasks that name the person: as assignee, as candidate user, or through a group. */
export interface Person {
  subject: string;
  groups: Iterable<string>;
}

/** One page of the user tasks of a project. */
export function listUserTasks(
  database: Queryable,
  projectID: string,
  filter: UserTaskFilter,
  page: SortedPageRequest<UserTaskSort>,
): Promise<Page<UserTask>> {
  return readTasks(database, projectID, filter, page);
}

/** One page of the tasks that name a person. */
export function listInbox(
  database: Queryable,
  projectID: string,
  person: Person,
  filter: UserTaskFilter,
  page: SortedPageRequest<UserTaskSort>,
): Promise<Page<UserTask>> {
  return readTasks(database, projectID, filter, page, naming(person));
}

/** All user tasks of a project that match, in the order of their creation. */
export function streamUserTasks(
  database: Queryable,
  projectID: string,
  filter: UserTaskFilter,
  order: Order,
): AsyncGenerator<UserTask> {
  return allTasks(database, projectID, filter, order);
}

/** All matching tasks that name a person, in the order of their creation. */
export function streamInbox(
  database: Queryable,
  projectID: string,
  person: Person,
  filter: UserTaskFilter,
  order: Order,
): AsyncGenerator<UserTask> {
  return allTasks(database, projectID, filter, order, naming(person));
}

async function readTasks(
  database: Queryable,
  projectID: string,
  filter: UserTaskFilter,
  page: SortedPageRequest<UserTaskSort>,
  restrict?: Restriction,
): Promise<Page<UserTask>> {
  const { data, ...totals } = await readPage<UserTaskRecord, typeof userTaskFilters, UserTaskSort>(
    database,
    userTaskList,
    projectID,
    filter,
    page,
    restrict,
  );
  return { data: data.map(toUserTask), ...totals };
}

async function* allTasks(
  database: Queryable,
  projectID: string,
  filter: UserTaskFilter,
  order: Order,
  restrict?: Restriction,
): AsyncGenerator<UserTask> {
  const records = streamList<UserTaskRecord, typeof userTaskFilters, UserTaskSort>(
    database,
    userTaskList,
    projectID,
    filter,
    order,
    restrict,
  );
  for await (const record of records) yield toUserTask(record);
}

function naming({ subject, groups }: Person): Restriction {
  return (conditions) => {
    const inGroup = conditions.placeholder([...groups]);
    conditions.where(
      `(t.assignee = ? OR (${namesUser}) OR (t.candidate_groups <> '{}' AND t.candidate_groups && ${inGroup}::text[]))`,
      subject,
    );
  };
}
