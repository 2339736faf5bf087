/** Groups of similar incidents, and the incidents of one. */
import { api, unwrap, type Schemas } from '../../frame/api/client.js';

export type Incident = Schemas['BpmnIncidentRecord'];
export type IncidentGroup = Schemas['BpmnIncidentGroup'];
export type IncidentStatus = 'open' | 'resolved';

const pageSize = 100;
const maxPages = 5;
/** Maximum number of incidents of one group to read. */
export const MAX_MEMBERS = maxPages * pageSize;

/** The newest incidents of a group. */
export async function fetchMembers(
  projectID: string,
  filter: { groupID: string; status: IncidentStatus },
  signal?: AbortSignal,
): Promise<Incident[]> {
  const incidents: Incident[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await unwrap(
      api.GET('/projects/{projectID}/bpmn/incidents', {
        params: { path: { projectID }, query: { ...filter, page, pageSize } },
        ...(signal && { signal }),
      }),
    );
    incidents.push(...data);
    if (page >= Math.min(maxPages, pagination.totalPages)) return incidents;
  }
}
