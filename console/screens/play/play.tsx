/** Plays a process in the page: tokens move, and the user acts for job workers, people, and events. */
import { useState } from 'react';
import { EmptyState, ErrorState, Loading } from '../../components/feedback/states.js';
import { Page } from '../../frame/layout/page.js';
import { Stage } from './stage.js';
import { useSubject, type Subject } from './use-subject.js';

export default function PlayScreen() {
  const subject = useSubject();
  if (subject.data) return <Opened key={subject.data.key} subject={subject.data} />;
  return (
    <Page title="Play">
      {subject.isPending && <Loading lines={8} label="Loading the file" />}
      {subject.isError && <ErrorState error={subject.error} retry={() => void subject.refetch()} />}
      {subject.data === null && (
        <EmptyState title="Nothing to play" icon="play">
          Open a version of a process, a draft, or an instance, and choose Play there.
        </EmptyState>
      )}
    </Page>
  );
}

function Opened({ subject }: { subject: Subject }) {
  // To the second, because a person reads it.
  const [now] = useState(() => Math.floor(Date.now() / 1_000) * 1_000);
  return <Stage subject={subject} now={now} />;
}
