import type { Turns } from '@perdure/lib/fair-turns.js';
import { textsOf, type ExpressionTexts } from '../../../hooks/expressions.js';
import { checkInThread } from '../../../hooks/threads.js';
import { problem, type Problem } from '../../../contract/problem.js';

/** 400 with the line and column of every mistake; undefined if all are valid. */
export async function badExpressions(
  texts: ExpressionTexts,
  turns: Turns,
): Promise<Problem<'BAD_REQUEST'> | undefined> {
  const problems = await checkInThread(textsOf(texts), turns);
  if (problems.length === 0) return undefined;
  const { member, line, column, message } = problems[0]!;
  return problem(
    'BAD_REQUEST',
    `${member} is not a valid FEEL expression at line ${line}, column ${column}: ${message}`,
    {
      details: { expressions: problems },
    },
  );
}
