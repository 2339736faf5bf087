/** The messages between a page and the web worker that plays. */
import type { Move, PlayRequest, PlayView, SuiteResult, UnusedFile } from '@perdure/testkit/browser';
import type { PlayFile } from './play-file.js';

export interface Questions {
  open: { request: PlayRequest };
  move: { move: Move };
  moveTo: { position: number };
  show: object;
  variables: { workflowID: string; wait: number };
  scenario: { name: string };
  test: { name: string };
  /** Opens a file that is being edited, first, and those that it uses. */
  openSuite: { files: readonly PlayFile[] };
  runScenario: { file: string; text: string };
}

export interface Answers {
  open: { view: PlayView; unused: readonly UnusedFile[] };
  move: PlayView;
  moveTo: PlayView;
  show: PlayView;
  /** Those that the element of a wait sees. */
  variables: Record<string, unknown>;
  /** The text of the file. */
  scenario: string;
  test: string;
  /** `elements`: all nodes and sequence flows of the edited file. */
  openSuite: { elements: readonly string[] };
  runScenario: SuiteResult;
}

export type QuestionKind = keyof Questions;

/** With the instance that the page shows in detail. */
export type Question = {
  [Kind in QuestionKind]: { kind: Kind; shownID?: string | undefined } & Questions[Kind];
}[QuestionKind];

export interface Connection {
  /**
   * @param shownID the instance that the page shows in detail
   * @throws Stopped, or an Error with the reason of a refusal
   */
  ask<Kind extends QuestionKind>(kind: Kind, content: Questions[Kind], shownID?: string): Promise<Answers[Kind]>;
  /** Ends the worker at once, whatever it computes. */
  close(): void;
}

export interface Asked {
  number: number;
  question: Question;
}

export type Answered = { number: number } & ({ value: unknown } | { problem: string });

/** The worker was ended before it answered. */
export class Stopped extends Error {
  override name = 'Stopped';
}
