/** The value of an expression over the variables of the instance. */
import { useQuery } from '@tanstack/react-query';
import { api, ApiProblem, unwrap } from '../../../frame/api/client.js';
import { useInstance } from '../use-instance.js';

interface Evaluation {
  expression: string;
  /** After this fact; undefined for the present. */
  at: number | undefined;
  /** The element instance whose variables it sees; undefined for the process. */
  scopeID: string | undefined;
}

/** The host evaluates four at once for a caller, who may have other tabs. */
const waitMs = 500;
const maxRetries = 8;

/** Its result never changes for a step, and follows the refreshes of the page for the present. */
export function useEvaluation({ expression, at, scopeID }: Evaluation) {
  const { projectID, instance, refetchInterval } = useInstance();
  const { workflowID } = instance;
  return useQuery({
    queryKey: [projectID, 'instance', workflowID, 'evaluate', at, scopeID, expression],
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/instances/{workflowID}/evaluate', {
          params: { path: { projectID, workflowID } },
          body: { expression, ...(at !== undefined && { at }), ...(scopeID !== undefined && { scopeID }) },
          signal,
        }),
      ),
    staleTime: at === undefined ? 0 : Infinity,
    refetchInterval: at === undefined && refetchInterval,
    gcTime: 20_000,
    retry: (count, error) => error instanceof ApiProblem && error.status === 429 && count < maxRetries,
    retryDelay: (count) => waitMs * (1 + count / 2),
  });
}
