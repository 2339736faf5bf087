import type { ApiContext } from '../../../context.js';
import { notFound, type Problem } from '../../../contract/problem.js';
import { findWithGraph } from '../../instances/shared/find-instance.js';

/** The reason why a path names no ad-hoc sub-process of an instance, or undefined when it names one, active or not. */
export async function missingAdHocNode(
  context: ApiContext,
  { projectID, workflowID, adHocNodeID }: { projectID: string; workflowID: string; adHocNodeID: string },
): Promise<Problem<'NOT_FOUND'> | undefined> {
  const found = await findWithGraph(context, { projectID, workflowID });
  if (found === undefined) return notFound(`no instance ${workflowID} in project ${projectID}`);
  const isThere = found.graph.nodes.some(({ kind, id }) => kind === 'adHocSubProcess' && id === adHocNodeID);
  return isThere ? undefined : notFound(`instance ${workflowID} has no ad-hoc sub-process ${adHocNodeID}`);
}
