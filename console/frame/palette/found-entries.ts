/** Entries that the server finds for the text of the palette: a few of each kind. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useProcessSearch } from '../../features/filters/process-search.js';
import { useSettled } from '../../features/filters/use-settled.js';
import { ApiProblem, api, unwrap } from '../api/client.js';
import type { Schemas } from '../api/client.js';
import { useMay, useProject } from '../project/project.js';
import { instanceIDIn, instanceIDPrefixOf } from '../../screens/instances/quick-filters.js';
import type { Entry } from './entry.js';

const maxOfKind = 6;
const maxStarts = 3;
/** Shorter texts are refused by the filter for names of tasks. */
const minTaskText = 3;

interface Found {
  readonly entries: readonly Entry[];
  /** Whether more can come for the present text. */
  readonly isSearching: boolean;
  readonly error: Error | null;
}

/** Requests begin when the text has settled; those for an earlier text are canceled. */
export function useFoundEntries(query: string): Found {
  const settled = useSettled(query);
  const isSettled = settled === query;
  const instances = useInstances(settled);
  const tasks = useTasks(settled);
  const processes = useProcesses(settled);
  const all = [instances, processes, tasks];
  if (query === '') return { entries: [], isSearching: false, error: null };
  return {
    // Results of an earlier text must not be under the finger that presses Enter.
    entries: isSettled ? all.flatMap(({ entries }) => entries) : [],
    isSearching: !isSettled || all.some(({ isSearching }) => isSearching),
    error: isSettled ? (all.find(({ error }) => error)?.error ?? null) : null,
  };
}

type Instance = Pick<
  Schemas['BpmnInstance'],
  'workflowID' | 'businessId' | 'processName' | 'processId' | 'processVersion' | 'status'
>;

/** The instance whose id the text has, or those whose business id or id begins with the text. */
function useInstances(text: string): Found {
  const { id: projectID } = useProject();
  const goTo = useGoTo();
  const { data, error, isLoading } = useQuery({
    queryKey: [projectID, 'palette', 'instances', text],
    queryFn: ({ signal }) => fetchInstances(projectID, text, signal),
    enabled: text !== '',
  });
  return {
    entries: (data ?? []).map((instance) => ({
      key: `instances/${encodeURIComponent(instance.workflowID)}`,
      group: 'Instances',
      icon: 'instances',
      label: instance.businessId ?? instance.workflowID,
      hint: hintOf(instance),
      run: () => goTo('instances', instance.workflowID),
    })),
    isSearching: isLoading,
    error,
  };
}

async function fetchInstances(projectID: string, text: string, signal: AbortSignal): Promise<readonly Instance[]> {
  const workflowID = instanceIDIn(text);
  if (workflowID !== undefined) {
    const path = { projectID, workflowID };
    const one = unwrap(api.GET('/projects/{projectID}/bpmn/instances/{workflowID}', { params: { path }, signal }));
    return one.then((instance) => [instance]).catch(noneIfUnknown);
  }
  const workflowIDPrefix = instanceIDPrefixOf(text);
  const lists = await Promise.all(
    [{ businessIdPrefix: text }, ...(workflowIDPrefix === undefined ? [] : [{ workflowIDPrefix }])].map((filter) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/instances', {
          params: { path: { projectID }, query: { ...filter, pageSize: maxOfKind } },
          signal,
        }),
      ),
    ),
  );
  const found = lists.flatMap(({ data }) => data);
  // An instance whose business id is its id is in both lists.
  return [...new Map(found.map((instance) => [instance.workflowID, instance])).values()];
}

function noneIfUnknown(error: unknown): readonly never[] {
  if (error instanceof ApiProblem && error.status === 404) return [];
  throw error;
}

function hintOf({ processName, processId, processVersion, status, businessId, workflowID }: Instance): string {
  const word = status.charAt(0) + status.slice(1).toLowerCase();
  return [`${processName ?? processId} v${processVersion}`, word, businessId && workflowID.slice(0, 8)]
    .filter(Boolean)
    .join(' · ');
}

/** Processes by id or name, and the start of the first few. */
function useProcesses(text: string): Found {
  const goTo = useGoTo();
  const mayStart = useMay('executor');
  const search = useProcessSearch(text, text !== '');
  const isCurrent = !search.isPlaceholderData && text !== '';
  const found = isCurrent ? (search.data?.pages[0]?.data ?? []).slice(0, maxOfKind) : [];
  const starts = mayStart ? found.slice(0, maxStarts) : [];
  return {
    entries: [
      ...found.map<Entry>(({ processID, processName }) => ({
        key: `processes/${encodeURIComponent(processID)}`,
        group: 'Processes',
        icon: 'processes',
        label: processName || processID,
        hint: processName === processID ? undefined : processID,
        run: () => goTo('processes', processID),
      })),
      ...starts.map<Entry>(({ processID, processName }) => ({
        key: `start ${processID}`,
        group: 'Processes',
        icon: 'play',
        label: `Start ${processName || processID}`,
        run: () => goTo('processes', processID, '/start'),
      })),
    ],
    isSearching: search.isFetching && !isCurrent,
    error: isCurrent || search.isError ? search.error : null,
  };
}

/** Open tasks by name: all of them, or those that name the caller. */
function useTasks(text: string): Found {
  const { id: projectID } = useProject();
  const goTo = useGoTo();
  const mayList = useMay('executor');
  const query = { nameContains: text, sort: 'dueDate', order: 'asc', pageSize: maxOfKind } as const;
  const path = { projectID };
  const { data, error, isLoading } = useQuery({
    queryKey: [projectID, 'palette', 'tasks', text],
    queryFn: ({ signal }) =>
      mayList
        ? unwrap(
            api.GET('/projects/{projectID}/bpmn/user-tasks', {
              params: { path, query: { ...query, status: 'CREATED' } },
              signal,
            }),
          )
        : unwrap(api.GET('/projects/{projectID}/bpmn/user-tasks/me', { params: { path, query }, signal })),
    enabled: text.length >= minTaskText,
  });
  return {
    entries: (data?.data ?? []).map(({ executionKey, name, nodeID, processName, processId, businessId }) => ({
      key: `tasks/${encodeURIComponent(executionKey)}`,
      group: 'Tasks',
      icon: 'tasks',
      label: name ?? nodeID,
      hint: [businessId, processName ?? processId].filter(Boolean).join(' · '),
      run: () => goTo('tasks', executionKey, mayList ? '?view=all' : ''),
    })),
    isSearching: isLoading,
    error,
  };
}

function useGoTo(): (list: string, id: string, rest?: string) => void {
  const { id: projectID } = useProject();
  const navigate = useNavigate();
  return (list, id, rest = '') =>
    void navigate(`/projects/${encodeURIComponent(projectID)}/${list}/${encodeURIComponent(id)}${rest}`);
}
