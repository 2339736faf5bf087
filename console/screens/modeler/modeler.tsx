/** Edits a BPMN file of the project. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { EmptyState, ErrorState, Loading } from '../../components/feedback/states.js';
import { removeCopy } from '../../features/modeler/copies/local-copies.js';
import { useSession } from '../../frame/access/use-session.js';
import { Page } from '../../frame/layout/page.js';
import { useMay, useProject } from '../../frame/project/project.js';
import { Editor } from './editor.js';
import { openFile } from './opened-file.js';

export default function Modeler() {
  const { resourceID = '' } = useParams();
  const mayEdit = useMay('editor');
  if (!mayEdit)
    return (
      <Page title="Modeler">
        <EmptyState title="Only editors edit files" icon="edit">
          Ask an admin of the project for the role editor.
        </EmptyState>
      </Page>
    );
  // Another file has another editor.
  return <OpenModeler key={resourceID} resourceID={resourceID} />;
}

function OpenModeler({ resourceID }: { resourceID: string }) {
  const { id: projectID } = useProject();
  const session = useSession();
  const subject = 'subject' in session ? session.subject : '';
  const queries = useQueryClient();
  const [opened, setOpened] = useState(0);
  const queryKey = [projectID, 'modeler', resourceID, opened];
  const file = useQuery({
    queryKey,
    queryFn: ({ signal }) => openFile({ projectID, subject, resourceID, isFresh: opened > 0 }, signal),
    // The editor has the text from here on: a newer one must not replace it.
    staleTime: 'static',
    gcTime: 0,
  });
  const project = `/projects/${encodeURIComponent(projectID)}`;
  if (file.data === undefined)
    return (
      <Page title="Modeler" parent={{ label: 'Deploy', to: `${project}/deploy` }}>
        {file.isError ? (
          <ErrorState error={file.error} retry={() => void file.refetch()} />
        ) : (
          <Loading label="Loading the file" />
        )}
      </Page>
    );
  const { copyKey } = file.data;
  const reopen = async () => {
    await removeCopy(copyKey);
    queries.removeQueries({ queryKey });
    setOpened((count) => count + 1);
  };
  return <Editor key={opened} file={file.data} onReopen={() => void reopen()} />;
}
