/** Keeps a play: as the file of a scenario, or as the text of a test. */
import { useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { TextField } from '../../components/fields/field.js';
import { sentenceOf } from '../../components/feedback/states.js';
import { useToasts } from '../../components/feedback/toast.js';
import type { Player } from '../../features/play/player.js';
import type { PlayFile } from '../../features/play/play-file.js';
import { saveFile } from '../../features/save-file.js';

interface SaveProps {
  player: Player;
  /** Of the process. */
  name: string;
  files: readonly PlayFile[];
}

export function SaveActions({ player, name, files }: SaveProps) {
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
      {isOpen && <SaveDialog player={player} name={name} files={files} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function SaveDialog({ player, name, files, onClose }: SaveProps & { onClose(): void }) {
  const toasts = useToasts();
  const [title, setTitle] = useState(`${name}, as played`);
  const [error, setError] = useState<unknown>();
  const given = title.trim();
  const save = async () => {
    const text = await player.scenario(given);
    const file = `${slugOf(given)}.scenario.json`;
    saveFile(new Blob([text], { type: 'application/json' }), file);
    toasts.done(`${file} saved.`);
    onClose();
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
        {files.map((file) => file.name).join(', ')}, and run it with <code>perdure test</code>.
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

/** `A large order, as played` becomes `a-large-order-as-played`. */
function slugOf(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join('-').slice(0, 80) || 'played';
}
