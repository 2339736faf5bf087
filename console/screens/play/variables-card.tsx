/** The variables of an instance per scope. Those that the last move set come first. */
import type { ScopeInPlay, ShownInstance } from '@perdure/testkit/browser';
import { Card } from '../../components/basics/card.js';
import { JsonView } from '../../components/values/json-view.js';
import styles from './play.module.css';
import { usePlay } from './use-play.js';

export function VariablesCard({ shown: { processID, failureReason, scopes, moreScopes } }: { shown: ShownInstance }) {
  const { nameOf } = usePlay();
  return (
    <Card title="Variables">
      {failureReason !== undefined && <p className={styles.note}>The instance failed: {failureReason}</p>}
      <div className={styles.scopes}>
        {scopes.map((scope, index) => (
          <Scope key={scope.id} scope={scope} name={index === 0 ? 'Process' : nameOf(processID, scope.node)} />
        ))}
      </div>
      {moreScopes > 0 && <p className={styles.note}>{moreScopes.toLocaleString('en')} more scopes are not listed.</p>}
    </Card>
  );
}

function Scope({ scope: { variables, changed, removed }, name }: { scope: ScopeInPlay; name: string }) {
  const names = new Set(changed);
  const others = Object.fromEntries(Object.entries(variables).filter(([variable]) => !names.has(variable)));
  const isEmpty = changed.length + removed.length + Object.keys(others).length === 0;
  return (
    <section aria-label={`Variables of ${name}`}>
      <h3>{name}</h3>
      {changed.length + removed.length > 0 && (
        <div className={styles.changed}>
          <p>Changed in the last move</p>
          {changed.length > 0 && (
            <JsonView
              label={`Changed variables of ${name}`}
              value={Object.fromEntries(changed.map((variable) => [variable, variables[variable]]))}
            />
          )}
          {removed.length > 0 && <span>Removed: {removed.join(', ')}</span>}
        </div>
      )}
      {Object.keys(others).length > 0 && <JsonView label={`Other variables of ${name}`} value={others} />}
      {isEmpty && <span className={styles.where}>None</span>}
    </section>
  );
}
