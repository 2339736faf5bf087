import { WrongUse } from './wrong-use.js';

/**
 * The instance of a job, a user task, or an incident, whose ids are `<workflowID>:<number>`.
 *
 * @throws WrongUse when the id has another form
 */
export function workflowOf(key: string, listCommand: string): string {
  const [, workflowID] = /^(.+):[1-9]\d{0,8}$/.exec(key) ?? [];
  if (workflowID !== undefined) return workflowID;
  throw new WrongUse(
    `The id must have the form WORKFLOW_ID:NUMBER, but is ${JSON.stringify(key)}. Run ${listCommand} to list the ids.`,
  );
}
