/** Moves back and forward, the virtual clock, events from outside, and the end of what takes too long. */
import { useState } from 'react';
import type { Move } from '@perdure/testkit/browser';
import { Button, IconButton } from '../../components/basics/button.js';
import { formatDuration } from '../../components/values/format-duration.js';
import { toSecond } from '../../components/values/format-time.js';
import { moveText } from '../../features/play/move-text.js';
import { MoveDialog } from './move-dialog.js';
import { broadcastAny, publishAny, setAny, type MoveForm } from './move-forms.js';
import styles from './play.module.css';
import { usePlay } from './use-play.js';

export function Controls({ moves }: { moves: readonly Move[] }) {
  const { player, view, isBusy, nameOf } = usePlay();
  const last = moves[view.at - 1 - view.begun];
  // Moves name nodes, which can be those of a called process.
  const nameOfAny = (id: string) =>
    view.instances.map(({ processID }) => nameOf(processID, id)).find((name) => name !== id) ?? id;
  return (
    <div className={styles.controls}>
      <div className={styles.group} role="group" aria-label="Moves">
        <IconButton
          icon="stepBack"
          label="One move back"
          disabled={view.at === 0}
          onClick={() => player.moveTo(view.at - 1)}
        />
        <IconButton
          icon="stepForward"
          label="One move forward"
          disabled={view.at >= view.moves}
          onClick={() => player.moveTo(view.at + 1)}
        />
        <span className={styles.position}>
          {view.at} / {view.moves}
        </span>
        <Button kind="quiet" disabled={view.at === 0} onClick={() => player.moveTo(0)}>
          Restart
        </Button>
        <Button kind="quiet" icon="ban" disabled={!isBusy} onClick={() => player.stop()}>
          Stop
        </Button>
      </div>
      <p className={styles.last} aria-live="polite">
        {isBusy ? 'Running…' : last && moveText(last, nameOfAny)}
      </p>
      <Clock />
      <OutsideEvents />
    </div>
  );
}

function Clock() {
  const { player, view } = usePlay();
  const [duration, setDuration] = useState('1h');
  const { now, nextDue } = view;
  return (
    <form
      className={styles.group}
      aria-label="Clock"
      onSubmit={(event) => {
        event.preventDefault();
        player.move({ advance: duration.trim() });
      }}
    >
      <time className={styles.time} dateTime={new Date(now).toISOString()} title="Time in this play">
        {toSecond(new Date(now))}
      </time>
      <Button disabled={nextDue === undefined} onClick={() => player.move({ advance: 'next timer' })}>
        Next timer{nextDue !== undefined && ` (in ${formatDuration(Math.max(0, nextDue - now))})`}
      </Button>
      <input
        className={styles.duration}
        aria-label="Duration, such as 1h30m or P7D"
        title="A duration, such as 1h30m or P7D"
        value={duration}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => setDuration(target.value)}
      />
      <Button type="submit" disabled={duration.trim() === ''}>
        Advance
      </Button>
    </form>
  );
}

/** Messages and signals without an open wait: they start a process or are buffered. */
function OutsideEvents() {
  const { player, view } = usePlay();
  const [form, open] = useState<MoveForm>();
  return (
    <div className={styles.group} role="group" aria-label="External events">
      <Button kind="quiet" icon="message" onClick={() => open(publishAny)}>
        Publish a message
      </Button>
      <Button kind="quiet" onClick={() => open(broadcastAny)}>
        Broadcast a signal
      </Button>
      {view.instances[0]?.status === 'RUNNING' && (
        <Button kind="quiet" onClick={() => open(setAny)}>
          Set variables
        </Button>
      )}
      {form && <MoveDialog form={form} onMove={(move) => player.move(move)} onClose={() => open(undefined)} />}
    </div>
  );
}
