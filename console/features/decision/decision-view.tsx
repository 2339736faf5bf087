import { Badge } from '../../components/values/badge.js';
import { classes } from '../../components/basics/classes.js';
import styles from './decision-view.module.css';
import type { Boxed } from './boxed.js';
import type { DecisionText } from './read-file.js';
import type { DecisionTable } from './table.js';

/**
 * The logic of a decision: its rules or its expression.
 *
 * @param hitRules ids of the rules that have matched, once something is evaluated
 */
export function DecisionView({
  decision: { name, table, expression, boxed },
  hitRules,
}: {
  decision: DecisionText;
  hitRules?: ReadonlySet<string> | undefined;
}) {
  if (table) return <Rules name={name} table={table} hitRules={hitRules} />;
  if (boxed) return <BoxedView name={name} boxed={boxed} />;
  return <p className={styles.text}>{expression === undefined ? 'No logic.' : <code>{expression}</code>}</p>;
}

/** The parts of a boxed expression, each with its parts. */
function BoxedView({ name, boxed: { kind, text, table, parts } }: { name: string; boxed: Boxed }) {
  if (table) return <Rules name={name} table={table} hitRules={undefined} />;
  if (text !== undefined) return <code className={styles.boxedText}>{text}</code>;
  return (
    <figure className={styles.boxed}>
      <figcaption>{kind}</figcaption>
      <dl>
        {parts.map(({ label, value }, index) => (
          <div key={index}>
            <dt>{label}</dt>
            <dd>
              <BoxedView name={`${name}: ${label}`} boxed={value} />
            </dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}

function Rules({
  name,
  table: { hitPolicy, inputs, outputs, rules },
  hitRules,
}: {
  name: string;
  table: DecisionTable;
  hitRules: ReadonlySet<string> | undefined;
}) {
  return (
    <>
      <p className={styles.policy}>Hit policy: {hitPolicy.toLowerCase()}</p>
      <div className={styles.frame} tabIndex={0} role="group" aria-label={`Rules of ${name}`}>
        <table className={styles.table} aria-label={name}>
          <thead>
            <tr>
              <th scope="col">Rule</th>
              {inputs.map((title, index) => (
                <th key={index} scope="col">
                  {title}
                </th>
              ))}
              {outputs.map((title, index) => (
                <th key={index} scope="col" className={classes(index === 0 && styles.output)}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rules.map(({ id, inputs: tests, outputs: results }, row) => (
              <tr key={id} className={classes(hitRules?.has(id) && styles.hit)}>
                <td>
                  {row + 1}{' '}
                  {hitRules?.has(id) && (
                    <Badge tone="green" icon="check">
                      Hit
                    </Badge>
                  )}
                </td>
                {tests.map((text, index) => (
                  <td key={index}>{text || '-'}</td>
                ))}
                {results.map((text, index) => (
                  <td key={index} className={classes(index === 0 && styles.output)}>
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
