import { Identifier } from '../../../components/values/identifier.js';
import { JsonView } from '../../../components/values/json-view.js';
import { EmptyState } from '../../../components/feedback/states.js';
import { useInstance } from '../use-instance.js';
import type { InstanceTab, TabProps } from './tab.js';
import styles from './variables.module.css';

export const variables: InstanceTab = {
  id: 'variables',
  label: 'Variables',
  role: 'viewer',
  count: (instance) => Object.keys(instance.variables).length,
  Content: Variables,
};

function Variables({ variablesOfStep }: TabProps) {
  const { instance, nodeID, nameOf } = useInstance();
  const ofProcess = variablesOfStep ?? instance.variables;
  const scopes = variablesOfStep
    ? []
    : instance.activeScopes.filter(
        (scope) =>
          scope.parentScopeID !== undefined &&
          Object.keys(scope.variables).length > 0 &&
          (nodeID === undefined || scope.nodeID === nodeID),
      );
  if (Object.keys(ofProcess).length === 0 && scopes.length === 0)
    return (
      <EmptyState title="No variables">
        {variablesOfStep ? 'None at this step.' : 'Start variables and results of activities appear here.'}
      </EmptyState>
    );
  return (
    <div className={styles.scopes}>
      <section aria-label="Variables of the process">
        <h3>{variablesOfStep ? 'Of the process, at this step' : 'Of the process'}</h3>
        <JsonView label="Variables of the process" value={ofProcess} />
      </section>
      {scopes.map((scope) => (
        <section key={scope.scopeID} aria-label={`Variables of ${nameOf(scope.nodeID)}`}>
          <h3>
            {nameOf(scope.nodeID)}{' '}
            <span className={styles.scope}>
              scope <Identifier value={scope.scopeID} />
            </span>
          </h3>
          <JsonView label={`Variables of ${nameOf(scope.nodeID)}`} value={scope.variables} />
        </section>
      ))}
    </div>
  );
}
