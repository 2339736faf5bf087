/** Selection of running instances of a version: all, or those chosen from a filtered list. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api } from '../../../frame/api/client.js';
import type { Schemas } from '../../../frame/api/client.js';
import { IncidentBadge } from '../../../components/values/badge.js';
import { Button } from '../../../components/basics/button.js';
import { SelectField } from '../../../components/fields/field.js';
import { Refusal } from '../../../components/dialogs/form-dialog.js';
import { Pager } from '../../../components/tables/pager.js';
import { DebouncedText } from '../../../components/fields/debounced-text.js';
import { ErrorState, Loading } from '../../../components/feedback/states.js';
import { Table } from '../../../components/tables/table.js';
import type { Column } from '../../../components/tables/table.js';
import { Time } from '../../../components/values/time.js';
import { labelOf } from '../../../features/diagram/node-options.js';
import type { Model } from '../../../features/diagram/model.js';
import { useProject } from '../../../frame/project/project.js';
import styles from './choose-instances.module.css';

type Instance = Schemas['BpmnInstance'];

const pageSize = 10;
const maxPageSize = 100;
/** The maximum number of ids in one request. */
const maxChosen = 10_000;

interface ChooseInstancesProps {
  definitionID: string;
  model: Model;
  /** The ids of the nodes where instances of the version are. */
  nodes: readonly string[];
  /** Undefined for all instances. */
  chosen: ReadonlySet<string> | undefined;
  onChange(chosen: ReadonlySet<string> | undefined): void;
}

export function ChooseInstances({ definitionID, model, nodes, chosen, onChange }: ChooseInstancesProps) {
  return (
    <>
      <SelectField
        label="Instances"
        value={chosen === undefined ? 'all' : 'some'}
        onChange={({ target }) => onChange(target.value === 'all' ? undefined : new Set())}
      >
        <option value="all">All instances that run this version when the migration starts</option>
        <option value="some">Only the instances chosen below</option>
      </SelectField>
      {chosen !== undefined && (
        <Choice definitionID={definitionID} model={model} nodes={nodes} chosen={chosen} onChange={onChange} />
      )}
    </>
  );
}

/** The running instances of the version at one node, or with one business id. */
function useCandidates(definitionID: string) {
  const { id: projectID } = useProject();
  const [activeNodeID, setNode] = useState('');
  const [businessId, setBusinessID] = useState('');
  const [page, setPage] = useState(1);
  const filter = {
    definitionID,
    status: 'RUNNING' as const,
    activeNodeID: activeNodeID || undefined,
    businessId: businessId || undefined,
  };
  const fetchPage = (number: number, size: number, signal?: AbortSignal) =>
    unwrap(
      api.GET('/projects/{projectID}/bpmn/instances', {
        params: { path: { projectID }, query: { ...filter, page: number, pageSize: size } },
        signal,
      }),
    );
  const list = useQuery({
    queryKey: [projectID, 'instances', 'to choose', filter, page],
    queryFn: ({ signal }) => fetchPage(page, pageSize, signal),
    placeholderData: keepPreviousData,
  });
  const narrow = (set: (value: string) => void) => (value: string) => {
    set(value);
    setPage(1);
  };
  return {
    activeNodeID,
    setNode: narrow(setNode),
    businessId,
    setBusinessID: narrow(setBusinessID),
    setPage,
    list,
    total: list.data?.pagination.total ?? 0,
    /** The ids of all candidates. */
    fetchAll: () => allOf(fetchPage),
  };
}

type Candidates = ReturnType<typeof useCandidates>;

interface ChosenProps {
  chosen: ReadonlySet<string>;
  onChange(chosen: ReadonlySet<string>): void;
}

function Choice({
  definitionID,
  model,
  nodes,
  chosen,
  onChange,
}: Omit<ChooseInstancesProps, 'chosen' | 'onChange'> & ChosenProps) {
  const candidates = useCandidates(definitionID);
  const { activeNodeID, setNode, businessId, setBusinessID } = candidates;
  return (
    <div className={styles.choice}>
      <search className={styles.filters} aria-label="Instances to choose from">
        <SelectField label="Node" value={activeNodeID} onChange={({ target }) => setNode(target.value)}>
          <option value="">Any</option>
          {nodes.map((id) => (
            <option key={id} value={id}>
              {labelOf(id, model)}
            </option>
          ))}
        </SelectField>
        <DebouncedText label="Business id" placeholder="Exact match" value={businessId} onSettle={setBusinessID} />
      </search>
      <CandidateTable candidates={candidates} chosen={chosen} onChange={onChange} />
      <ChosenBar candidates={candidates} chosen={chosen} onChange={onChange} />
    </div>
  );
}

function CandidateTable({
  candidates: { list, total, setPage },
  chosen,
  onChange,
}: { candidates: Candidates } & ChosenProps) {
  if (list.data === undefined)
    return list.isError ? (
      <ErrorState error={list.error} retry={() => void list.refetch()} />
    ) : (
      <Loading lines={4} label="Loading the instances" />
    );
  if (total === 0) return <p>No running instances match.</p>;
  const toggle = (workflowID: string) =>
    onChange(
      chosen.has(workflowID)
        ? new Set([...chosen].filter((id) => id !== workflowID))
        : new Set([...chosen, workflowID]),
    );
  return (
    <>
      <Table
        label="Instances to choose from"
        columns={candidateColumns(chosen, toggle)}
        rows={list.data.data}
        rowKey={({ workflowID }) => workflowID}
      />
      <Pager noun="instances" pagination={list.data.pagination} onPage={setPage} />
    </>
  );
}

function candidateColumns(
  chosen: ReadonlySet<string>,
  toggle: (workflowID: string) => void,
): readonly Column<Instance>[] {
  return [
    {
      title: 'Instance',
      cell: ({ workflowID }) => (
        <label className={styles.instance}>
          <input type="checkbox" checked={chosen.has(workflowID)} onChange={() => toggle(workflowID)} />
          <code>{workflowID}</code>
        </label>
      ),
    },
    { title: 'Business id', width: '30%', cell: ({ businessId }) => businessId },
    { title: 'Started', width: '8rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
    { title: 'Incident', width: '8rem', cell: ({ hasIncident }) => hasIncident && <IncidentBadge /> },
  ];
}

/** Chooses all candidates, or none, and says how many are chosen. */
function ChosenBar({ candidates: { total, fetchAll }, chosen, onChange }: { candidates: Candidates } & ChosenProps) {
  const chooseAll = useMutation({
    mutationFn: fetchAll,
    onSuccess: (found) => onChange(new Set([...chosen, ...found])),
  });
  return (
    <>
      <div className={styles.chosen}>
        <Button
          icon="check"
          isBusy={chooseAll.isPending}
          disabled={total === 0 || total > maxChosen}
          title={total > maxChosen ? `At most ${maxChosen.toLocaleString('en')} can be chosen` : undefined}
          onClick={() => chooseAll.mutate()}
        >
          Choose all {total.toLocaleString('en')}
        </Button>
        <Button kind="quiet" icon="close" disabled={chosen.size === 0} onClick={() => onChange(new Set())}>
          Choose none
        </Button>
        <span role="status">{chosen.size.toLocaleString('en')} chosen</span>
      </div>
      <Refusal error={chooseAll.error} />
    </>
  );
}

/**
 * Instances that start during the paging shift others to later pages, so some appear twice. Instances that end may be
 * missing.
 */
async function allOf(
  fetchPage: (page: number, size: number) => Promise<{ data: Instance[]; pagination: { totalPages: number } }>,
): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { data, pagination } = await fetchPage(page, maxPageSize);
    found.push(...data.map(({ workflowID }) => workflowID));
    last = Math.min(pagination.totalPages, maxChosen / maxPageSize);
  }
  return found;
}
