/** Downloads all rows of a list as JSON lines. */
import { useMutation } from '@tanstack/react-query';
import { Button } from '../components/basics/button.js';
import { useToasts } from '../components/feedback/toast.js';
import { sentenceOf } from '../components/feedback/states.js';
import { problemOf, send } from '../frame/api/client.js';
import { saveFile } from './save-file.js';

interface DownloadProps {
  /** Path of the list below `/projects/{projectID}/`. */
  list: 'audit' | 'bpmn/instances' | 'bpmn/incidents' | 'bpmn/external-jobs';
  projectID: string;
  /** The filters of the list, without page and sort. */
  filter: Readonly<Record<string, string | boolean | undefined>>;
}

export function DownloadList({ list, projectID, filter }: DownloadProps) {
  const toasts = useToasts();
  const download = useMutation({
    mutationFn: () => fetchLines(list, projectID, filter),
    onSuccess: (lines) => saveFile(lines, `${projectID}-${list.replace('bpmn/', '')}.ndjson`),
    onError: (error) => toasts.failed(sentenceOf(error)),
  });
  return (
    <Button kind="quiet" icon="download" isBusy={download.isPending} onClick={() => download.mutate()}>
      Download
    </Button>
  );
}

async function fetchLines(list: string, projectID: string, filter: DownloadProps['filter']): Promise<Blob> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const path = `/projects/${encodeURIComponent(projectID)}/${list}?${query}`;
  const response = await send(
    new Request(new URL(path, window.location.origin), { headers: { Accept: 'application/x-ndjson' } }),
  );
  if (!response.ok) throw problemOf(await response.json(), response);
  // A broken connection rejects this promise, so an incomplete list is never saved.
  return response.blob();
}
