/** States of a section without data: loading, empty, or unavailable. */
import type { ReactNode } from 'react';
import { ApiProblem } from '../../frame/api/client.js';
import { Button } from '../basics/button.js';
import { Icon } from '../basics/icon.js';
import type { IconName } from '../basics/icon.js';
import { timeOfDay } from '../values/format-time.js';
import styles from './states.module.css';

/** `children` says why it is empty and what fills it. */
export function EmptyState({
  title,
  icon = 'instances',
  action,
  children,
}: {
  title: string;
  icon?: IconName;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={styles.state}>
      <span className={styles.icon}>
        <Icon name={icon} size={20} />
      </span>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** An error with advice and the request id for searching the host's log. */
export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, advice } = explain(error);
  return (
    <div className={styles.state} role="alert">
      <span className={styles.badIcon}>
        <Icon name="alert" size={20} />
      </span>
      <h2>{title}</h2>
      <p>{advice}</p>
      {error instanceof ApiProblem && error.requestID && (
        <p className={styles.request}>
          Request <code>{error.requestID}</code>
        </p>
      )}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** Gray placeholder lines, so that nothing moves when the content arrives. */
export function Loading({ lines = 6, label = 'Loading' }: { lines?: number; label?: string }) {
  return (
    <div className={styles.loading} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} style={{ width: `${92 - ((index * 17) % 40)}%` }} />
      ))}
    </div>
  );
}

/** One line above something that could not be refreshed and is therefore old. */
export function StaleNote({ error, since }: { error: unknown; since: number }) {
  return (
    <p className={styles.stale} role="status">
      <Icon name="alert" />
      <span>
        Could not refresh: {explain(error).advice} Data as of {timeOfDay(new Date(since))}.
      </span>
    </p>
  );
}

/** A sentence for users about anything that was thrown. */
export function sentenceOf(error: unknown): string {
  const sentence = error instanceof Error ? error.message : String(error);
  // The host names a member of the request by a JSON pointer.
  return sentence.replace(/^\/([\w/]+: )/, '$1');
}

function explain(error: unknown): { title: string; advice: string } {
  const advice = sentenceOf(error);
  if (!(error instanceof ApiProblem))
    return {
      title: 'Something went wrong on this page',
      advice: `${advice}. Reload it; if it happens again, report it.`,
    };
  switch (error.code) {
    case 'NOT_FOUND':
      return {
        title: 'Not found',
        advice: 'It does not exist, or your role in this project does not allow you to see it.',
      };
    case 'UNREACHABLE':
      return { title: 'The host does not respond', advice };
    case 'UNAVAILABLE':
      return { title: 'The host is not ready', advice };
    case 'TOO_MANY_REQUESTS':
      return { title: 'Too many requests', advice: 'You have reached the request limit of this host. Wait a moment.' };
    case 'BAD_REQUEST':
      return { title: 'Invalid request', advice };
    default:
      return { title: 'The host failed to process the request', advice };
  }
}
