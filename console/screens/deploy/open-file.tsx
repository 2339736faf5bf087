/** One BPMN file: its diagram with its problems, and its actions. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Badge } from '../../components/values/badge.js';
import { Button, ButtonLink } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import { useToasts } from '../../components/feedback/toast.js';
import { Diagram } from '../../features/diagram/diagram.js';
import { DiagramRoom } from '../../features/diagram/diagram-room.js';
import { comparisonOf, modelerOf } from '../../features/modeler/files/addresses.js';
import { useModel } from '../../features/diagram/use-definition.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import styles from './deploy.module.css';
import { ConvertOffer, isForeign } from './conversion.js';
import type { ConvertedFile } from './conversion.js';
import { DraftActions } from './draft-actions.js';
import type { ModelFile } from './read-file.js';
import { marksOf, Problems } from './problems.js';

interface OpenFileProps {
  file: ModelFile;
  /** The stored resource; undefined while only the browser has the file. */
  kept?: Schemas['BpmnResourceDetail'];
  /** Called with the replacing file. */
  onConverted?(file: ConvertedFile): void;
}

export function OpenFile({ file, kept, onConverted }: OpenFileProps) {
  const [nodeID, select] = useState<string>();
  const model = useModel(file.xml);
  const validation = useValidation(file.xml);
  const issues = useMemo(
    () => validation.data && [...validation.data.errors, ...validation.data.warnings],
    [validation.data],
  );
  const marks = useMemo(() => issues && marksOf(issues), [issues]);
  const selected = useMemo(() => (nodeID === undefined ? [] : [nodeID]), [nodeID]);
  const isRefused = (validation.data?.errors.length ?? 0) > 0;
  return (
    <Card
      title={file.name}
      actions={
        <Buttons file={file} kept={kept} processIDs={model.executable} isSound={validation.data?.errors.length === 0} />
      }
    >
      {isRefused && onConverted && isForeign(file.xml) && <ConvertOffer file={file} onConverted={onConverted} />}
      <DiagramRoom>
        <Diagram xml={file.xml} marks={marks} selected={selected} onSelect={select} label={`Diagram of ${file.name}`} />
      </DiagramRoom>
      {issues ? (
        <Problems issues={issues} nameOf={(id) => model.names.get(id) ?? id} onSelect={select} />
      ) : validation.isError ? (
        <ErrorState error={validation.error} retry={() => void validation.refetch()} />
      ) : (
        <Loading lines={2} label="Checking the file" />
      )}
    </Card>
  );
}

/** The result of validating a deployment. The same text always has the same problems. */
function useValidation(xml: string) {
  const { id: projectID } = useProject();
  // The text is not part of the key, because texts are large and would be stored twice.
  const opened = useId();
  return useQuery({
    queryKey: [projectID, 'validation', opened],
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/validate', { params: { path: { projectID } }, body: { xml }, signal }),
      ),
    staleTime: Infinity,
    gcTime: 0,
  });
}

interface ButtonsProps extends OpenFileProps {
  processIDs: readonly string[];
  isSound: boolean;
}

function Buttons({ file, kept, processIDs, isSound }: ButtonsProps) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  const navigate = useNavigate();
  const address = useAddress();
  const save = useSave(file, kept);
  const saveDraft = useMutation({
    mutationFn: save,
    onSuccess: (resourceID) => {
      toasts.done(`${file.name} saved as a draft.`);
      address.set({ resource: resourceID });
    },
  });
  const deploy = useMutation({
    mutationFn: async () => {
      const path = { projectID, resourceID: await save() };
      await unwrap(api.POST('/projects/{projectID}/bpmn/resources/{resourceID}/deploy', { params: { path } }));
      return unwrap(api.GET('/projects/{projectID}/bpmn/resources/{resourceID}', { params: { path } }));
    },
    onSuccess: ({ processes = [] }) => {
      toasts.done(`${file.name} deployed.`);
      const [only] = processes;
      void navigate(
        `/projects/${encodeURIComponent(projectID)}/processes` +
          (only && processes.length === 1 ? `/${encodeURIComponent(only.processID)}` : ''),
      );
    },
  });
  const isBusy = saveDraft.isPending || deploy.isPending;
  return (
    <span className={styles.buttons}>
      <Refusal error={deploy.error ?? saveDraft.error} />
      {kept &&
        (kept.isDeployed ? (
          <Badge tone="green" icon="check">
            Deployed
          </Badge>
        ) : (
          <Badge tone="grey">Draft</Badge>
        ))}
      {kept && (
        <ButtonLink icon="changes" to={comparisonOf(projectID, kept.id)}>
          Show changes
        </ButtonLink>
      )}
      {kept?.isDeployed && (
        <ButtonLink icon="edit" to={modelerOf(projectID, kept.id)}>
          Edit a copy
        </ButtonLink>
      )}
      {kept && !kept.isDeployed && <DraftActions draft={kept} processIDs={processIDs} isSound={isSound} />}
      {/* Once saved, the draft is opened; until then, it cannot be saved again. */}
      {!kept && !saveDraft.isSuccess && (
        <Button isBusy={isBusy} onClick={() => saveDraft.mutate()}>
          Save as draft
        </Button>
      )}
      {!kept?.isDeployed && (
        <Button kind="primary" icon="deploy" isBusy={isBusy} disabled={!isSound} onClick={() => deploy.mutate()}>
          Deploy
        </Button>
      )}
    </span>
  );
}

/** The id of the stored file. The file is stored once, even if its deployment is repeated. */
function useSave({ name, xml }: ModelFile, kept: OpenFileProps['kept']): () => Promise<string> {
  const { id: projectID } = useProject();
  const resourceID = useRef(kept?.id);
  return async () => {
    resourceID.current ??= (
      await unwrap(
        api.POST('/projects/{projectID}/bpmn/resources', { params: { path: { projectID } }, body: { name, xml } }),
      )
    ).id;
    return resourceID.current;
  };
}
