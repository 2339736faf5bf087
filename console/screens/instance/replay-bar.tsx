/** Steps through the recorded facts of the instance. */
import { useEffect, useState } from 'react';
import { Button, ButtonLink, IconButton } from '../../components/basics/button.js';
import { sentenceOf } from '../../components/feedback/states.js';
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

const betweenStepsMs = 700;
/** Delay in milliseconds after dragging the slider, which passes many steps. */
const settleAfterMs = 100;

export function ReplayBar({ at, replay, error, onMove }: ReplayBarProps) {
  const { nameOf } = useInstance();
  const [isPlaying, setIsPlaying] = useState(false);
  const [pulledTo, setPulledTo] = useState<number>();
  const last = replay?.last ?? at;
  const isShown = replay?.at === at;
  useEffect(() => {
    if (!isPlaying || !isShown) return;
    if (at >= last) return setIsPlaying(false);
    const timer = setTimeout(() => onMove(at + 1), betweenStepsMs);
    return () => clearTimeout(timer);
  }, [isPlaying, isShown, at, last, onMove]);
  useEffect(() => {
    if (pulledTo === undefined) return;
    const timer = setTimeout(() => {
      setPulledTo(undefined);
      onMove(pulledTo);
    }, settleAfterMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- only another drag restarts the delay
  }, [pulledTo]);
  const go = (step: number) => {
    setIsPlaying(false);
    setPulledTo(undefined);
    onMove(Math.min(last, Math.max(0, step)));
  };
  const pull = (step: number) => {
    setIsPlaying(false);
    setPulledTo(step);
  };
  return (
    <div className={styles.bar} role="group" aria-label="Replay">
      <IconButton icon="stepBack" label="One step back" disabled={at <= 0} onClick={() => go(at - 1)} />
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? 'Stop' : 'Play'}
        disabled={at >= last}
        onClick={() => setIsPlaying(!isPlaying)}
      />
      <IconButton icon="stepForward" label="One step forward" disabled={at >= last} onClick={() => go(at + 1)} />
      <input
        className={styles.slider}
        type="range"
        aria-label="Step"
        min={0}
        max={last}
        value={pulledTo ?? at}
        aria-valuetext={`Step ${pulledTo ?? at} of ${last}`}
        onChange={({ target }) => pull(Number(target.value))}
      />
      <span className={styles.position}>
        {pulledTo ?? at} / {last}
      </span>
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
    </div>
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
