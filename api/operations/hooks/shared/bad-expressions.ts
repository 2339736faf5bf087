import { compileExpressions, type ExpressionTexts } from '../../../hooks/expressions.js';
import { problem, type Problem } from '../../../contract/problem.js';

/** 400 with the line and column of every mistake; undefined if all are valid. */
export function badExpressions(texts: ExpressionTexts): Problem<'BAD_REQUEST'> | undefined {
  const compiled = compileExpressions(texts);
  if (compiled.ok) return undefined;
  const { member, line, column, message } = compiled.problems[0]!;
  return problem(
    'BAD_REQUEST',
    `${member} is not a valid FEEL expression at line ${line}, column ${column}: ${message}`,
    {
      details: { expressions: compiled.problems },
    },
  );
}
