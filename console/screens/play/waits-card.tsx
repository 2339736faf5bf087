/** The open waits of the processes in play, each with its actions. */
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { PlayView, WaitInPlay } from '@perdure/testkit/browser';
import { Badge, IncidentBadge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { EmptyState } from '../../components/feedback/states.js';
import { toSecond } from '../../components/values/format-time.js';
import { MoveDialog } from './move-dialog.js';
import * as forms from './move-forms.js';
import type { MoveForm } from './move-forms.js';
import styles from './play.module.css';
import { TaskDialog } from './task-dialog.js';
import { usePlay } from './use-play.js';

/** A dialog that is open. */
type Opened = { form: MoveForm } | { task: Extract<WaitInPlay, { kind: 'userTask' }>; name: string };

export function WaitsCard() {
  const { player, view, nameOf } = usePlay();
  const [opened, open] = useState<Opened>();
  const close = () => open(undefined);
  const { waits, moreWaits } = view;
  return (
    <Card title="Waits">
      <ul className={styles.waits}>
        {waits.map((wait) => {
          const name = nameOf(wait.processID, wait.node);
          return (
            <li key={keyOf(wait)} className={styles.wait}>
              <p>
                <strong>{name}</strong> {sentenceOf(wait)}{' '}
                {wait.count > 1 && <Badge tone="grey">×{wait.count.toLocaleString('en')}</Badge>}{' '}
                {wait.in !== undefined && <span className={styles.where}>in the process called by {wait.in}</span>}
              </p>
              <Actions wait={wait} name={name} onOpen={open} />
            </li>
          );
        })}
      </ul>
      {moreWaits > 0 && <p className={styles.note}>{moreWaits.toLocaleString('en')} more waits are not listed.</p>}
      {waits.length === 0 && (
        <EmptyState title="No open waits" icon="check">
          {reasonWithout(view)}
        </EmptyState>
      )}
      {opened && 'form' in opened && (
        <MoveDialog form={opened.form} onMove={(move) => player.move(move)} onClose={close} />
      )}
      {opened && 'task' in opened && (
        <TaskDialog task={opened.task} name={opened.name} onMove={(move) => player.move(move)} onClose={close} />
      )}
    </Card>
  );
}

function reasonWithout({ instances, isInside }: PlayView): string {
  if (isInside) return 'The instance is in the middle of a step. Go one move forward or back.';
  return instances.length === 0 ? 'No instance has started.' : 'Every instance has ended.';
}

function keyOf(wait: WaitInPlay): string {
  const publication = wait.kind === 'message' ? [wait.name, wait.correlation] : wait.kind === 'signal' && wait.name;
  return JSON.stringify([wait.kind, wait.node, wait.in, publication]);
}

function sentenceOf(wait: WaitInPlay): ReactNode {
  switch (wait.kind) {
    case 'job':
      return (
        <>
          waits for {wait.listener === undefined ? 'a job worker' : `its ${wait.listener} listener, a job`} of type{' '}
          <code>{wait.taskType}</code>; attempts left: {wait.attempts}
        </>
      );
    case 'userTask':
      return 'waits for a person';
    case 'timer':
      return (
        <>
          waits for a timer due {toSecond(new Date(wait.due))}
          {wait.repeats !== undefined && `, ${wait.repeats} ticks left`}
        </>
      );
    case 'message':
      return (
        <>
          waits for the message <code>{wait.name}</code>
          {wait.correlation !== undefined && (
            <>
              {' '}
              with the key <code>{JSON.stringify(wait.correlation)}</code>
            </>
          )}
        </>
      );
    case 'signal':
      return (
        <>
          waits for the signal <code>{wait.name}</code>
        </>
      );
    case 'condition':
      return <>waits until {wait.expression === undefined ? 'a condition' : <code>{wait.expression}</code>} is true</>;
    case 'call':
      if (wait.calledID === undefined) return 'waits for the end of an instance that is not part of the copy';
      return wait.called === undefined ? (
        <>
          called <code>{wait.calledID}</code>, which is not in the project
        </>
      ) : (
        <>
          waits for the end of <code>{wait.calledID}</code>
        </>
      );
    case 'join':
      return (
        <>
          waits for tokens on <code>{wait.missingFlows.join(', ') || 'its incoming flows'}</code>
        </>
      );
    case 'adHoc':
      return 'lets you start an activity inside';
    case 'incident':
      return (
        <>
          <IncidentBadge /> {wait.errorCode ?? wait.errorType}: {wait.message}
        </>
      );
  }
}

interface ActionsProps {
  wait: WaitInPlay;
  name: string;
  onOpen(opened: Opened): void;
}

function Actions({ wait, name, onOpen }: ActionsProps) {
  const { player } = usePlay();
  const button = (label: string, form: MoveForm) => (
    <Button aria-label={`${label}: ${name}`} onClick={() => onOpen({ form })}>
      {label}
    </Button>
  );
  switch (wait.kind) {
    case 'job':
      return (
        <span className={styles.group}>
          {button('Complete', forms.completeJob(wait, name))}
          {button('Fail', forms.failJob(wait, name))}
          {button('Throw error', forms.throwError(wait, name))}
        </span>
      );
    case 'userTask':
      return (
        <span className={styles.group}>
          <Button aria-label={`Complete: ${name}`} onClick={() => onOpen({ task: wait, name })}>
            Complete
          </Button>
          {button('Throw error', forms.throwError(wait, name))}
        </span>
      );
    case 'timer':
      return (
        <Button
          aria-label={`Fire: ${name}`}
          title="Moves the clock to its time; timers that are due before fire, too"
          onClick={() => player.move({ advance: wait.advance })}
        >
          Fire
        </Button>
      );
    case 'message':
      return button('Publish', forms.publish(wait));
    case 'signal':
      return button('Broadcast', forms.broadcast(wait));
    case 'condition':
      return button('Set variables', forms.setAny);
    case 'call':
      return wait.called === undefined ? (
        button('Answer', forms.answerCall(wait, name))
      ) : (
        <Button aria-label={`Show: ${wait.calledID}`} onClick={() => player.show(wait.called!)}>
          Show
        </Button>
      );
    case 'incident':
      return button('Resolve', forms.resolve(wait, name));
    case 'adHoc':
      return <AdHocActions wait={wait} />;
    case 'join':
      return null;
  }
}

function AdHocActions({
  wait: { node, in: call, processID, activities },
}: {
  wait: Extract<WaitInPlay, { kind: 'adHoc' }>;
}) {
  const { player, nameOf } = usePlay();
  return (
    <span className={styles.group}>
      {activities.map((activity) => (
        <Button
          key={activity}
          aria-label={`Start: ${nameOf(processID, activity)}`}
          onClick={() => player.move({ triggerAdHoc: { node, activity, ...(call !== undefined && { in: call }) } })}
        >
          Start {nameOf(processID, activity)}
        </Button>
      ))}
    </span>
  );
}
