/** The conversation of an agent with its model: turns, tools, tokens, costs, and times. */
import { SelectField } from '../../../../components/fields/field.js';
import { EmptyState } from '../../../../components/feedback/states.js';
import { PagedList } from '../../../../components/tables/paged-list.js';
import { Facts } from '../../../../components/values/facts.js';
import type { Column } from '../../../../components/tables/table.js';
import { formatDuration } from '../../../../components/values/format-duration.js';
import { JsonView } from '../../../../components/values/json-view.js';
import { Time } from '../../../../components/values/time.js';
import { api, unwrap, type Schemas } from '../../../../frame/api/client.js';
import { useAddress } from '../../../../frame/layout/use-address.js';
import { NodeName } from '../node-name.js';
import { useInstance } from '../../use-instance.js';
import type { InstanceTab, TabProps } from '../tab.js';
import { conversationAsOf, type TurnAsOf } from './as-of.js';
import styles from './agent.module.css';

type Turn = Schemas['BpmnAgentTurn'];
type ToolCall = Turn['toolCalls'][number];

export const agent: InstanceTab = {
  id: 'agent',
  label: 'Agent',
  role: 'viewer',
  isShown: ({ agents }) => agents.length > 0,
  Content: Agent,
};

const columns: readonly Column<TurnAsOf<Turn>>[] = [
  { title: 'Turn', width: '4rem', isNumber: true, cell: ({ turn }) => turn },
  {
    title: 'Answer',
    cell: ({ text, failure, toolCalls, durationMs, valuesOmitted, isLater }) => (
      <>
        {text !== undefined && <p className={styles.text}>{text}</p>}
        {failure !== undefined && <code>{failure}</code>}
        {isLater ? 'Not asked yet at this step' : durationMs === undefined && 'No answer yet'}
        {valuesOmitted && 'Too large for this page'}
        {toolCalls.length > 0 && (
          <ul className={styles.calls}>
            {toolCalls.map((call) => (
              <Call key={call.id} call={call} />
            ))}
          </ul>
        )}
      </>
    ),
  },
  { title: 'Tokens in', width: '6rem', isNumber: true, cell: ({ inputTokens }) => inputTokens?.toLocaleString('en') },
  {
    title: 'Tokens out',
    width: '6rem',
    isNumber: true,
    cell: ({ outputTokens }) => outputTokens?.toLocaleString('en'),
  },
  {
    title: 'Cost',
    width: '8rem',
    isNumber: true,
    cell: ({ cost, inputTokens }) => (cost ? shownCost(cost) : inputTokens === undefined ? null : 'No price'),
  },
  {
    title: 'Duration',
    width: '6rem',
    cell: ({ durationMs }) => (durationMs === undefined ? null : formatDuration(durationMs)),
  },
  { title: 'Started', width: '7rem', cell: ({ startedAt }) => <Time value={startedAt} /> },
];

function shownCost({ amount, currency }: Schemas['BpmnAgentCost']): string {
  return `${amount} ${currency}`;
}

/** Tokens and costs of all turns, those of other pages too. */
function Totals({ totals }: { totals: Schemas['BpmnAgentTotals'] }) {
  const { inputTokens, outputTokens, costs, turnsWithoutCost } = totals;
  return (
    <section aria-label="All turns" className={styles.totals}>
      <Facts
        facts={[
          ['Tokens in', inputTokens.toLocaleString('en')],
          ['Tokens out', outputTokens.toLocaleString('en')],
          ['Cost', costs.map(shownCost).join(' + ')],
          ['Turns without a cost', turnsWithoutCost === 0 ? undefined : turnsWithoutCost.toLocaleString('en')],
        ]}
      />
      {turnsWithoutCost > 0 && (
        <p className={styles.note}>
          Their model has no price in the settings of the project, or has reported no tokens.
        </p>
      )}
    </section>
  );
}

function Call({ call: { elementId, arguments: given, problem, result, approved } }: { call: ToolCall }) {
  return (
    <li>
      <NodeName nodeID={elementId} />
      {approved !== undefined && <span className={styles.decision}>{approved ? 'Approved' : 'Refused'}</span>}
      {problem !== undefined && <p className={styles.problem}>{problem}</p>}
      {(given !== undefined || result !== undefined) && (
        <JsonView label={`Call of ${elementId}`} value={{ ...(given && { arguments: given }), result }} />
      )}
    </li>
  );
}

/** That of the selected node, or the first one. */
function Agent({ timeOfStep }: TabProps) {
  const {
    projectID,
    instance: { workflowID },
    refetchInterval,
    model: { agents },
    nodeID,
    nameOf,
  } = useInstance();
  const address = useAddress();
  const shown = agents.find((id) => id === nodeID) ?? agents[0]!;
  return (
    <>
      {agents.length > 1 && (
        <SelectField
          label="Agent"
          value={shown}
          onChange={({ target }) => address.set({ node: target.value, page: undefined })}
        >
          {agents.map((id) => (
            <option key={id} value={id}>
              {nameOf(id)}
            </option>
          ))}
        </SelectField>
      )}
      <PagedList
        noun="turns"
        queryKey={[projectID, 'instance', workflowID, 'turns', shown, timeOfStep]}
        fetchPage={async (query, signal) => {
          const page = await unwrap(
            api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/agents/{adHocNodeID}/turns', {
              params: { path: { projectID, workflowID, adHocNodeID: shown }, query },
              signal,
            }),
          );
          return { ...page, data: conversationAsOf(page.data, timeOfStep) };
        }}
        refreshEveryMs={refetchInterval}
        columns={columns}
        summary={({ totals }) => <Totals totals={totals} />}
        rowKey={({ elementInstanceID, turn }) => `${elementInstanceID} ${turn}`}
        empty={
          <EmptyState title="No turns yet" icon="jobs">
            Each request of {nameOf(shown)} to its model appears here.
          </EmptyState>
        }
      />
    </>
  );
}
