/** Results of an evaluation, and the rules that it has matched. */
import type { Schemas } from '../../frame/api/client.js';
import { JsonView } from '../../components/values/json-view.js';
import styles from './results.module.css';

type Result = Schemas['EvaluationResult'];

export interface Evaluated {
  results: readonly Result[];
  /** Ids of the rules that have matched, by the id of their decision. */
  hitRules: ReadonlyMap<string, ReadonlySet<string>>;
}

export function Results({ evaluated: { results } }: { evaluated: Evaluated }) {
  return (
    <dl className={styles.results}>
      {results.map(({ decisionID, name, value, error, warnings = [] }) => (
        <div key={decisionID}>
          <dt>{name}</dt>
          <dd>
            {error === null ? (
              <JsonView label={`Result of ${name}`} value={value} openDepth={2} />
            ) : (
              <p className={styles.problem}>{error}</p>
            )}
          </dd>
          {warnings.map(({ message, elementID }, index) => (
            <dd key={index} className={styles.problem}>
              {elementID && <code>{elementID}</code>} {message}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

/** A decision that several others require is among the dependencies of each. */
export function hitRulesOf(results: readonly Result[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const visit = ({ decisionID, hitRules = [], dependencies = [] }: Result) => {
    const ids = found.get(decisionID) ?? new Set();
    for (const { ruleID } of hitRules) if (ruleID !== undefined) ids.add(ruleID);
    found.set(decisionID, ids);
    dependencies.forEach(visit);
  };
  results.forEach(visit);
  return found;
}
