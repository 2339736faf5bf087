/**
 * The web worker of a play, and of the scenarios in the modeler. It runs the interpreter, so that a page stays usable and can
 * end it. It sends no request.
 */
import { PlaySession, ScenarioSuite } from '@perdure/testkit/browser';
import type { Answered, Answers, Asked, Question, QuestionKind } from './protocol.js';

let session: PlaySession | undefined;
let suite: ScenarioSuite | undefined;

/** One after the other: opening a session waits for its files to be compiled. */
let last: Promise<void> = Promise.resolve();

self.addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  last = last.then(() => answer(data));
});

async function answer({ number, question }: Asked): Promise<void> {
  try {
    post({ number, value: await valueOf(question) });
  } catch (error) {
    post({ number, problem: error instanceof Error ? error.message : String(error) });
  }
}

function post(answered: Answered): void {
  self.postMessage(answered);
}

async function valueOf(question: Question): Promise<Answers[QuestionKind]> {
  if (question.kind === 'open') {
    session = await PlaySession.open(question.request);
    return { view: session.view(question.shownID), unused: session.unused };
  }
  if (question.kind === 'openSuite') {
    suite = await ScenarioSuite.open(question.files);
    return { elements: suite.elements };
  }
  if (question.kind === 'runScenario') {
    if (!suite) throw new Error('No file is open');
    return suite.run(question.text, question.file);
  }
  if (!session) throw new Error('No process is open');
  switch (question.kind) {
    case 'move':
      session.move(question.move);
      break;
    case 'moveTo':
      session.moveTo(question.position);
      break;
    case 'variables':
      return session.variablesAt(question.workflowID, question.wait);
    case 'scenario':
      return `${JSON.stringify(session.scenario(question.name), null, 2)}\n`;
    case 'test':
      return session.test(question.name);
    case 'show':
  }
  return session.view(question.shownID);
}
