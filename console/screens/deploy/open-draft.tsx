/** A draft with decisions or a form: its content, and its actions. */
import { useState } from 'react';
import { Button, ButtonLink } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Badge } from '../../components/values/badge.js';
import { deployedName, type FileKind } from '../../features/modeler/files/kinds.js';
import { modelerOf } from '../../features/modeler/files/addresses.js';
import { Allowed, useProject } from '../../frame/project/project.js';
import type { Schemas } from '../../frame/api/client.js';
import { FileContent } from './bundle/preview.js';
import styles from './deploy.module.css';
import { DeleteDialog } from './draft-actions.js';

interface OpenDraftProps {
  draft: Schemas['BpmnResourceDetail'];
  kind: FileKind;
}

export function OpenDraft({ draft, kind }: OpenDraftProps) {
  const { id: projectID } = useProject();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Card
      title={draft.name}
      actions={
        <span className={styles.buttons}>
          <Badge tone="grey">Draft</Badge>
          <Allowed role="editor">
            <ButtonLink icon="edit" to={modelerOf(projectID, draft.id)}>
              Edit
            </ButtonLink>
            <Button kind="danger" icon="close" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </Allowed>
        </span>
      }
    >
      <div className={styles.content}>
        <FileContent file={{ name: deployedName(draft.name, kind), content: draft.xml }} />
      </div>
      {isDeleting && <DeleteDialog draft={draft} onClose={() => setDeleting(false)} />}
    </Card>
  );
}
