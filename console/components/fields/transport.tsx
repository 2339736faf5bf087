/** Moves through the steps of something that happened: back, forward, by a slider, and by itself. */
import { useEffect, useState, type ReactNode } from 'react';
import { IconButton } from '../basics/button.js';
import styles from './transport.module.css';

interface TransportProps {
  /** The accessible name. */
  label: string;
  /** The requested step, from 0. */
  at: number;
  last: number;
  /** Whether the requested step is shown already; playing waits for it. */
  isShown?: boolean;
  onMove(at: number): void;
  /** Shown behind the position. */
  children?(isPlaying: boolean): ReactNode;
}

const betweenStepsMs = 700;
/** Delay in milliseconds after dragging the slider, which passes many steps. */
const settleAfterMs = 100;

export function Transport({ label, at, last, isShown = true, onMove, children }: TransportProps) {
  const [isPlaying, setIsPlaying] = useState(false);
  const [pulledTo, setPulledTo] = useState<number>();
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
    <div className={styles.bar} role="group" aria-label={label}>
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
      {children?.(isPlaying)}
    </div>
  );
}
