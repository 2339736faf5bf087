/** The value of an expression in one line, or why it has none. */
import { sentenceOf } from '../../../components/feedback/states.js';
import styles from './expressions.module.css';
import { useEvaluation } from './use-evaluation.js';

/** Characters. The tab with the variables shows the rest. */
const maxLength = 200;

export function ExpressionValue(evaluation: Parameters<typeof useEvaluation>[0]) {
  const { data, error } = useEvaluation(evaluation);
  if (data === undefined)
    return error ? (
      <span className={styles.problem}>{sentenceOf(error)}</span>
    ) : (
      <span className={styles.pending}>…</span>
    );
  const { value, problem } = data;
  if (problem) return <span className={styles.problem}>{problem.message}</span>;
  const text = JSON.stringify(value);
  return (
    <code className={value === true ? styles.true : undefined}>
      {text.length > maxLength ? `${text.slice(0, maxLength)}…` : text}
    </code>
  );
}
