/** Edits the files of the project, one at a time, next to the list of all of them. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { EmptyState, ErrorState, Loading } from '../../components/feedback/states.js';
import { removeCopy } from '../../features/modeler/copies/local-copies.js';
import { Page } from '../../frame/layout/page.js';
import { useMay, useProject } from '../../frame/project/project.js';
import { Editor } from './editor.js';
import { FileList } from './folder/file-list.js';
import styles from './folder/folder.module.css';
import { FolderContext, useFolder, useFolderOfPage } from './folder/use-folder.js';
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
  return <Files shownID={resourceID} />;
}

/** Each file has its editor. That of the shown one is visible. */
function Files({ shownID }: { shownID: string }) {
  const folder = useFolderOfPage();
  const { openFiles } = folder;
  useEffect(() => openFiles.show(shownID), [openFiles, shownID]);
  return (
    <FolderContext value={folder}>
      <div className={styles.screen}>
        <FileList shownID={shownID} />
        {openFiles.editorsWith(shownID).map((id) => (
          <OpenModeler key={id} resourceID={id} isShown={id === shownID} />
        ))}
      </div>
    </FolderContext>
  );
}

function OpenModeler({ resourceID, isShown }: { resourceID: string; isShown: boolean }) {
  const { id: projectID } = useProject();
  const { subject } = useFolder();
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
      <Page title="Modeler" parent={{ label: 'Deploy', to: `${project}/deploy` }} isHidden={!isShown}>
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
  return <Editor key={opened} file={file.data} isShown={isShown} onReopen={() => void reopen()} />;
}
