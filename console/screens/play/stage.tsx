/** The page of one play: moves, clock, diagram, open waits, and variables. */
import { useMemo } from 'react';
import { Banner } from '../../components/feedback/banner.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { SelectField } from '../../components/fields/field.js';
import { Loading, sentenceOf } from '../../components/feedback/states.js';
import { StatusBadge } from '../../components/values/badge.js';
import { RecordedRun } from '../../features/backtests/recorded-run.js';
import sides from '../../features/backtests/run-side.module.css';
import { withDifference } from '../../features/backtests/run-steps.js';
import { marksOf } from '../../features/diagram/active-nodes.js';
import { Diagram } from '../../features/diagram/diagram.js';
import { DiagramRoom } from '../../features/diagram/diagram-room.js';
import { playFileIn } from '../../features/modeler/files/read-folder.js';
import type { PlayerState } from '../../features/play/player.js';
import { usePlayer } from '../../features/play/use-player.js';
import { Page } from '../../frame/layout/page.js';
import { Controls } from './controls.js';
import styles from './play.module.css';
import { SaveActions } from './save.js';
import { StartCard } from './start-card.js';
import { PlayContext, useModels, usePlay } from './use-play.js';
import type { Subject } from './use-subject.js';
import { VariablesCard } from './variables-card.js';
import { WaitsCard } from './waits-card.js';

/** @param now when the play begins, in epoch milliseconds */
export function Stage({ subject, now }: { subject: Subject; now: number }) {
  const { file, processID, parent, opened, copied, difference, folder = [] } = subject;
  const begins = { now: opened?.[0]?.now ?? now, opened, at: difference?.at };
  const { player, state } = usePlayer({ file, processID, ...begins }, (wanted) => playFileIn(folder, wanted));
  const { view, files, unused, isBusy } = state;
  const modelOf = useModels(files, view);
  const name = modelOf(processID).names.get(processID) ?? processID;
  const root = view?.instances[0];
  const used = files.filter((each) => !unused.some((other) => other.name === each.name));
  return (
    <Page
      title={`Play ${name}`}
      parent={parent}
      marks={root && <StatusBadge status={root.status} />}
      actions={
        view && view.at > 0 && !opened && <SaveActions player={player} processID={processID} name={name} files={used} />
      }
    >
      {copied && (
        <Banner tone="blue" icon="copy" title="A copy of an instance.">
          It begins after fact {copied.at} of {copied.last}. Redacted variables are missing, and the instance itself
          does not change.
        </Banner>
      )}
      {difference && (
        <Banner tone="blue" icon="copy" title="From the first difference.">
          The moves up to here are those of the instance, played by this version. The instance itself does not change.
        </Banner>
      )}
      <Notes state={state} />
      {view === undefined ? (
        state.error === undefined ? (
          <Loading lines={8} label="Opening the process" />
        ) : (
          <Banner
            tone="red"
            icon="cross"
            title="This process cannot be played."
            action={<Button onClick={() => player.open()}>Try again</Button>}
          >
            {sentenceOf(state.error)}
          </Banner>
        )
      ) : (
        <PlayContext
          value={{ player, view, isBusy, folder, nameOf: (process, id) => modelOf(process).names.get(id) ?? id }}
        >
          <Card>
            <Controls moves={state.moves} />
            {difference ? (
              <div className={sides.sides}>
                <RecordedRun difference={difference} at={Math.min(view.at, view.begun)} />
                <section className={sides.side} aria-label="This version">
                  <header className={sides.sideHeader}>
                    <h2>This version</h2>
                  </header>
                  <Picture files={files} main={file.name} name={name} first={difference.item.first?.nodeID} />
                </section>
              </div>
            ) : (
              <Picture files={files} main={file.name} name={name} />
            )}
          </Card>
          {view.at === 0 && !opened ? <StartCard subject={subject} /> : <WaitsCard />}
          {view.shown && <VariablesCard shown={view.shown} />}
        </PlayContext>
      )}
    </Page>
  );
}

/** Why the last move was refused or stopped, and files that are not used. */
function Notes({ state: { view, error, isStopped, unused } }: { state: PlayerState }) {
  return (
    <>
      {isStopped && (
        <Banner tone="blue" icon="pause" title="Stopped.">
          The play is as it was before the last move.
        </Banner>
      )}
      {view !== undefined && error !== undefined && (
        <Banner tone="red" icon="cross" title="Move refused.">
          <span role="alert">{sentenceOf(error)}</span>
        </Banner>
      )}
      {unused.map(({ name, message }) => (
        <Banner key={name} tone="amber" icon="alert" title={`${name} is not part of the play.`}>
          {message}
        </Banner>
      ))}
    </>
  );
}

interface PictureProps {
  files: PlayerState['files'];
  /** Name of the file with the process. */
  main: string;
  name: string;
  /** The node of the first difference. */
  first?: string | undefined;
}

/** The diagram of the instance in detail, with its tokens. */
function Picture({ files, main, name, first }: PictureProps) {
  const { player, view, nameOf } = usePlay();
  const { shown, instances, moreInstances } = view;
  const file = files.find((one) => one.name === (shown?.file ?? main)) ?? files[0]!;
  const marks = useMemo(() => {
    if (!shown) return undefined;
    const found = marksOf(
      {
        activeScopes: [{ activeNodes: Object.fromEntries(shown.tokens) }],
        incidents: shown.incidents.map((nodeID) => ({ nodeID })),
      },
      false,
    );
    return first === undefined ? found : withDifference(found, first);
  }, [shown, first]);
  const tokens = shown?.tokens.map(
    ([node, count]) => `${nameOf(shown.processID, node)}${count > 1 ? ` ×${count.toLocaleString('en')}` : ''}`,
  );
  return (
    <>
      {shown && instances.length > 1 && (
        <div className={styles.instances}>
          <SelectField
            label="Instance"
            hint={moreInstances > 0 ? `${moreInstances.toLocaleString('en')} more are not listed.` : undefined}
            value={shown.workflowID}
            onChange={({ target }) => player.show(target.value)}
          >
            {instances.map(({ workflowID, processID, status, calledBy }) => (
              <option key={workflowID} value={workflowID}>
                {processID}
                {calledBy !== undefined && `, called by ${calledBy}`} ({status.toLowerCase()})
              </option>
            ))}
          </SelectField>
        </div>
      )}
      <DiagramRoom>
        <Diagram xml={file.text} marks={marks} label={`Diagram of ${name}`} />
      </DiagramRoom>
      <p className={first === undefined ? styles.tokens : sides.where} aria-live="polite">
        {tokens && tokens.length > 0 ? `At ${tokens.join(', ')}` : 'No tokens'}
      </p>
    </>
  );
}
