/** Statements in the middle of a job. */
import { errorMessage } from '@perdure/lib/error-message.js';
import { isPermanent, refusalReason } from '../../store/sql/permanence.js';
import { TaskError } from '../results/task-error.js';
import { NotNow } from '../work.js';

/**
 * The result of a statement.
 * @throws TaskError if the database refuses its values for good: the model would be asked again and again
 * @throws NotNow if the database does not respond: another connector continues from what is stored
 */
export async function stored<Value>(statement: Promise<Value>): Promise<Value> {
  try {
    return await statement;
  } catch (error) {
    if (isPermanent(error))
      throw new TaskError('RESULT_UNSTORABLE', `The database cannot store the turn: ${refusalReason(error)}`);
    throw new NotNow(errorMessage(error), { cause: error });
  }
}
