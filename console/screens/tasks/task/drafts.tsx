/** Input that a person has typed at a task and not sent. Leaving the task asks before it is lost. */
import { useEffect, useMemo } from 'react';
import { useBlocker } from 'react-router';
import { Button } from '../../../components/basics/button.js';
import { Dialog } from '../../../components/dialogs/dialog.js';

type Place = 'form' | 'comment';

interface Drafts {
  /** Whether any place has input that was not sent. */
  any(): boolean;
  mark(place: Place, isDraft: boolean): void;
}

/** Not a state, because typing must not draw the whole task again. */
export function useDrafts(): Drafts {
  return useMemo(() => {
    const places = new Set<Place>();
    return {
      any: () => places.size > 0,
      mark: (place, isDraft) => void (isDraft ? places.add(place) : places.delete(place)),
    };
  }, []);
}

/** Asks when a person leaves the task with a draft. A change of the parameters of the address leaves nothing. */
export function LeaveDialog({ drafts }: { drafts: Drafts }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => drafts.any() && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (drafts.any()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [drafts]);
  if (blocker.state !== 'blocked') return null;
  return (
    <Dialog
      title="Leave the task?"
      onClose={() => blocker.reset()}
      footer={
        <>
          <Button onClick={() => blocker.proceed()}>Discard and leave</Button>
          <Button kind="primary" onClick={() => blocker.reset()}>
            Stay
          </Button>
        </>
      }
    >
      <p>Your input has not been sent.</p>
    </Dialog>
  );
}
