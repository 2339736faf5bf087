/** Requests about instances that test drafts work in the project of these tests. Rights are those of the project itself. */
import { isTestID, testProjectOf } from '../../store/projects/tests.js';

type Parameters = Readonly<Record<string, string>>;

/** The path parameters for the handler. A test is named by an id in the path, or by `isTest` in the query or the body. */
export function withTestProject(params: Parameters, query: unknown, body: unknown): Parameters {
  const projectID = params['projectID'];
  if (projectID === undefined) return params;
  const ids = [params['workflowID'], params['executionKey']];
  const isAboutTest = says(query) || says(body) || ids.some((id) => id !== undefined && isTestID(id));
  return isAboutTest ? { ...params, projectID: testProjectOf(projectID) } : params;
}

function says(part: unknown): boolean {
  return (part as { isTest?: boolean } | undefined)?.isTest === true;
}
