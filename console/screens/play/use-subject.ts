/** The subject of a play that the address names: a deployed version, a draft, an edited file, or an instance. */
import { useQuery } from '@tanstack/react-query';
import type { OpenedState } from '@perdure/testkit/browser';
import { api, unwrap } from '../../frame/api/client.js';
import { useSession } from '../../frame/access/use-session.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import { candidateAddress } from '../../features/backtests/candidate-address.js';
import { differenceOf, readCompared, type Difference } from '../../features/backtests/difference.js';
import { readModel } from '../../features/diagram/model.js';
import { modelerOf, sourceOf } from '../../features/modeler/files/addresses.js';
import { keyOfCopy, readCopy } from '../../features/modeler/copies/local-copies.js';
import type { FolderFile } from '../../features/modeler/files/folder-file.js';
import { readFolder } from '../../features/modeler/files/read-folder.js';
import type { PlayFile } from '../../features/play/play-file.js';
import { fileName } from '../../features/play/project-files.js';

export interface Subject {
  /** Changes with everything that makes another play. */
  key: string;
  /** The page that it belongs to. */
  parent: { label: string; to: string };
  file: PlayFile;
  processID: string;
  /** All executable processes of the file. */
  processIDs: readonly string[];
  /** The files next to an edited one, which take the place of those of the project. */
  folder?: readonly FolderFile[];
  /** The states of the instance that the play begins with. */
  opened?: readonly OpenedState[];
  /** Of a copy of an instance: the number of facts that its state includes, and of all. */
  copied?: { at: number; last: number };
  /** Of a play that begins at the first difference of an instance in a backtest. */
  difference?: Difference;
}

/** Null if the address names nothing that can be played. */
export function useSubject() {
  const { id: projectID } = useProject();
  const session = useSession();
  const subject = 'subject' in session ? session.subject : '';
  const address = useAddress();
  const definitionID = address.get('version');
  const resourceID = address.get('resource');
  const edited = address.get('edited');
  const processID = address.get('process');
  const workflowID = address.get('instance');
  const at = address.get('at');
  const backtestID = address.get('backtest');
  return useQuery({
    queryKey: [projectID, 'play', definitionID, resourceID, edited, processID, workflowID, at, backtestID],
    queryFn: async ({ signal }): Promise<Subject | null> => {
      if (workflowID !== undefined && backtestID !== undefined)
        return ofDifference(projectID, { backtestID, workflowID }, signal);
      if (workflowID !== undefined) return ofInstance(projectID, workflowID, at, signal);
      if (definitionID !== undefined) return ofVersion(projectID, definitionID, signal);
      if (edited !== undefined) return ofEdited(projectID, edited, { subject, processID }, signal);
      return resourceID === undefined ? null : ofDraft(projectID, resourceID, processID, signal);
    },
    // A play keeps its file, also if the draft changes.
    staleTime: Infinity,
    gcTime: 0,
  });
}

async function ofVersion(projectID: string, definitionID: string, signal: AbortSignal): Promise<Subject> {
  const version = await unwrap(
    api.GET('/projects/{projectID}/bpmn/definitions/{definitionID}', {
      params: { path: { projectID, definitionID } },
      signal,
    }),
  );
  const { processID } = version;
  const { name, xml } = await resourceOf(projectID, version.resourceID, signal);
  const path = `/projects/${encodeURIComponent(projectID)}/processes/${encodeURIComponent(processID)}`;
  return {
    key: definitionID,
    parent: {
      label: `${version.processName || processID}, version ${version.version}`,
      to: `${path}?version=${encodeURIComponent(definitionID)}`,
    },
    file: { name: fileName(name, '.bpmn'), text: xml, definitionID },
    processID,
    processIDs: [processID],
  };
}

async function ofInstance(
  projectID: string,
  workflowID: string,
  at: string | undefined,
  signal: AbortSignal,
): Promise<Subject> {
  const path = { projectID, workflowID };
  const [{ processId: processID, definitionID }, opened] = await Promise.all([
    unwrap(api.GET('/projects/{projectID}/bpmn/instances/{workflowID}', { params: { path }, signal })),
    unwrap(
      api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/state', {
        params: { path, query: { at: at === undefined ? undefined : Number(at) } },
        signal,
      }),
    ),
  ]);
  // The file is that of the drawing and of what the instance can call; it runs the graph of its state.
  const { file } = await ofVersion(projectID, definitionID, signal);
  const instance = `/projects/${encodeURIComponent(projectID)}/instances/${encodeURIComponent(workflowID)}`;
  return {
    key: `${workflowID} ${opened.at}`,
    parent: { label: `Instance ${workflowID}`, to: at === undefined ? instance : `${instance}?at=${at}` },
    file,
    processID,
    processIDs: [processID],
    opened: [opened],
    copied: opened,
  };
}

/** The file is that of the drawing and of what the version can call; it runs the graph of the backtest. */
async function ofDifference(
  projectID: string,
  ids: { backtestID: string; workflowID: string },
  signal: AbortSignal,
): Promise<Subject | null> {
  const compared = await readCompared(projectID, ids, signal);
  const { backtest, played } = compared;
  const candidate = candidateAddress(backtest);
  if (candidate === undefined) return null;
  const subject =
    'version' in candidate
      ? await ofVersion(projectID, candidate.version, signal)
      : await ofDraft(projectID, candidate.resource, backtest.processID, signal);
  const difference = differenceOf(compared);
  const path = `/projects/${encodeURIComponent(projectID)}/backtests`;
  return (
    subject && {
      ...subject,
      key: `${ids.backtestID} ${ids.workflowID}`,
      parent: {
        label: 'Compare runs',
        to: `${path}/${encodeURIComponent(ids.backtestID)}/${encodeURIComponent(ids.workflowID)}`,
      },
      opened: played.positions.map((position) => ({ ...position, graph: played.graph })),
      ...(difference && { difference }),
    }
  );
}

async function ofDraft(
  projectID: string,
  resourceID: string,
  processID: string | undefined,
  signal: AbortSignal,
): Promise<Subject | null> {
  const draft = await resourceOf(projectID, resourceID, signal);
  const deploy = `/projects/${encodeURIComponent(projectID)}/deploy`;
  const parent = { label: draft.name, to: `${deploy}?resource=${encodeURIComponent(resourceID)}` };
  return ofFile(draft, processID, { key: resourceID, parent });
}

/** A file with the edits that the modeler keeps in this browser. */
async function ofEdited(
  projectID: string,
  resourceID: string,
  { subject, processID }: { subject: string; processID: string | undefined },
  signal: AbortSignal,
): Promise<Subject | null> {
  const copy = await readCopy(keyOfCopy(subject, projectID, resourceID), Date.now());
  if (copy === undefined && sourceOf(resourceID).from === 'blank') return null;
  const file = copy ?? (await resourceOf(projectID, resourceID, signal));
  const parent = { label: file.name, to: modelerOf(projectID, resourceID) };
  const played = ofFile(file, processID, { key: `${resourceID} ${copy?.at ?? ''}`, parent });
  return played && { ...played, folder: (await readFolder({ projectID, subject }, signal)).files };
}

function ofFile(
  { name, xml }: { name: string; xml: string },
  processID: string | undefined,
  { key, parent }: Pick<Subject, 'key' | 'parent'>,
): Subject | null {
  const processIDs = readModel(xml).executable;
  const chosen = processID === undefined ? processIDs[0] : processIDs.find((id) => id === processID);
  if (chosen === undefined) return null;
  const file = { name: fileName(name, '.bpmn'), text: xml };
  return { key: `${key} ${chosen}`, parent, file, processID: chosen, processIDs };
}

function resourceOf(projectID: string, resourceID: string, signal: AbortSignal) {
  return unwrap(
    api.GET('/projects/{projectID}/bpmn/resources/{resourceID}', {
      params: { path: { projectID, resourceID } },
      signal,
    }),
  );
}
