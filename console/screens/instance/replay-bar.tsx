/** Steps through the recorded facts of the instance. */
import { Button, ButtonLink } from '../../components/basics/button.js';
import { sentenceOf } from '../../components/feedback/states.js';
import { Transport } from '../../components/fields/transport.js';
import { Time } from '../../components/values/time.js';
import { playOf } from '../../features/play/addresses.js';
import type { Schemas } from '../../frame/api/client.js';
import { Allowed } from '../../frame/project/project.js';
import styles from './replay-bar.module.css';
import { useInstance } from './use-instance.js';

interface ReplayBarProps {
  /** The requested step; `replay` may still be the previous one. */
  at: number;
  replay: Schemas['BpmnInstanceReplay'] | undefined;
  error: unknown;
  /** Undefined returns to the current state. */
  onMove(at: number | undefined): void;
}

export function ReplayBar({ at, replay, error, onMove }: ReplayBarProps) {
  const { nameOf } = useInstance();
  const isShown = replay?.at === at;
  return (
    <Transport label="Replay" at={at} last={replay?.last ?? at} isShown={isShown} onMove={onMove}>
      {(isPlaying) => (
        <>
          <span className={styles.fact} aria-live={isPlaying ? 'off' : 'polite'}>
            {error ? (
              <span className={styles.bad}>{sentenceOf(error)}</span>
            ) : (
              isShown && (replay.fact ? <Fact fact={replay.fact} nameOf={nameOf} /> : 'Before the first step')
            )}
          </span>
          {at > 0 && <PlayLink at={at} />}
          <Button kind="quiet" icon="close" onClick={() => onMove(undefined)}>
            Back to now
          </Button>
        </>
      )}
    </Transport>
  );
}

/** Opens a copy of the instance at this step. */
function PlayLink({ at }: { at: number }) {
  const { projectID, instance } = useInstance();
  return (
    <Allowed role="editor">
      <ButtonLink kind="quiet" to={playOf(projectID, { instance: instance.workflowID, at: String(at) })}>
        Play from here
      </ButtonLink>
    </Allowed>
  );
}

function Fact({
  fact: { kind, nodeID, time },
  nameOf,
}: {
  fact: NonNullable<Schemas['BpmnInstanceReplay']['fact']>;
  nameOf(nodeID: string): string;
}) {
  const words = kind.toLowerCase().replaceAll('_', ' ');
  return (
    <>
      <strong>
        {words.charAt(0).toUpperCase()}
        {words.slice(1)}
      </strong>
      {nodeID && <> · {nameOf(nodeID)}</>} · <Time value={time} />
    </>
  );
}
