/** Keeps a play: as the file of a scenario, or as the text of a test. */
import { useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { TextField } from '../../components/fields/field.js';
import { sentenceOf } from '../../components/feedback/states.js';
import { useToasts } from '../../components/feedback/toast.js';
import type { Player } from '../../features/play/player.js';
import { addScenarios, keyOfScenarios } from '../../features/modeler/copies/local-scenarios.js';
import { scenarioFileName } from '../../features/modeler/copies/scenario-limits.js';
import type { PlayFile } from '../../features/play/play-file.js';
import { saveFile } from '../../features/save-file.js';
import { useSession } from '../../frame/access/use-session.js';
import { useProject } from '../../frame/project/project.js';

interface SaveProps {
  player: Player;
  processID: string;
  /** Of the process. */
  name: string;
  files: readonly PlayFile[];
}

export function SaveActions(props: SaveProps) {
  const { player, name } = props;
  const toasts = useToasts();
  const [isOpen, setIsOpen] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(await player.test(`${name}, as played`));
    toasts.done('Test copied.');
  };
  return (
    <>
      <Button icon="copy" onClick={() => void copy().catch((error: unknown) => toasts.failed(sentenceOf(error)))}>
        Copy as test
      </Button>
      <Button icon="download" onClick={() => setIsOpen(true)}>
        Save as scenario
      </Button>
      {isOpen && <SaveDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function SaveDialog({ player, processID, name, files, onClose }: SaveProps & { onClose(): void }) {
  const toasts = useToasts();
  const { id: projectID } = useProject();
  const session = useSession();
  const subject = 'subject' in session ? session.subject : '';
  const [title, setTitle] = useState(`${name}, as played`);
  const [error, setError] = useState<unknown>();
  const given = title.trim();
  const save = async () => {
    const text = await player.scenario(given);
    const file = scenarioFileName(given);
    saveFile(new Blob([text], { type: 'application/json' }), file);
    toasts.done(`${file} saved.`);
    onClose();
    await addScenarios(keyOfScenarios(subject, projectID, processID), [{ file, text }], Date.now()).catch(
      (reason: unknown) => toasts.failed(`The modeler does not run ${file}: ${sentenceOf(reason)}`),
    );
  };
  return (
    <FormDialog
      title="Save as scenario"
      submitLabel="Save"
      isBusy={false}
      isIncomplete={given === ''}
      error={error}
      onSubmit={() => void save().catch(setError)}
      onClose={onClose}
    >
      <p>
        The scenario repeats the moves up to here, and expects what has happened. Save it next to{' '}
        {files.map((file) => file.name).join(', ')}, and run it with <code>perdure test</code>. In this browser, the
        modeler runs it after each edit of the process.
      </p>
      <TextField
        label="Name"
        value={title}
        required
        maxLength={255}
        onChange={({ target }) => setTitle(target.value)}
      />
    </FormDialog>
  );
}
