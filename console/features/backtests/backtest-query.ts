/** A backtest, refreshed until it has ended. */
import { queryOptions } from '@tanstack/react-query';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';

export type Backtest = Schemas['BpmnBacktest'];
export type Outcome = Schemas['BpmnBacktestItem']['outcome'];

const refreshEveryMs = 1_500;

export function backtestQuery(projectID: string, backtestID: string) {
  return queryOptions({
    queryKey: [projectID, 'backtest', backtestID],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/backtests/{backtestID}', {
          params: { path: { projectID, backtestID } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.completedAt === undefined ? refreshEveryMs : false),
  });
}

/** The version as people name it. */
export function comparedWith({ definitionID, version, draftName }: Backtest): string {
  if (version !== undefined) return `Version ${version}`;
  if (draftName !== undefined) return `Draft ${draftName}`;
  return definitionID === undefined ? 'A deleted draft' : 'A deleted version';
}

/** In the order in which they are shown, with the member of the counts. */
export const outcomes = [
  { outcome: 'SAME', count: 'same', word: 'The same', tone: 'green', icon: 'check' },
  { outcome: 'OTHER_PATH', count: 'otherPath', word: 'Another path', tone: 'amber', icon: 'arrowRight' },
  { outcome: 'OTHER_RESULT', count: 'otherResult', word: 'Another result', tone: 'amber', icon: 'edit' },
  { outcome: 'INCIDENT', count: 'incident', word: 'Incident', tone: 'red', icon: 'alert' },
  { outcome: 'UNANSWERED', count: 'unanswered', word: 'Unanswered', tone: 'blue', icon: 'dot' },
  { outcome: 'SKIPPED', count: 'skipped', word: 'Skipped', tone: 'grey', icon: 'minus' },
] as const;
