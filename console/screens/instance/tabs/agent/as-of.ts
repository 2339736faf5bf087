/** A conversation as it was at a step of the replay. */

interface Turn {
  elementInstanceID: string;
  startedAt: string;
  durationMs?: number | undefined;
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  cost?: unknown;
  text?: string | undefined;
  failure?: string | undefined;
  valuesOmitted?: true | undefined;
  toolCalls: { result?: unknown; approved?: boolean | undefined }[];
}

export type TurnAsOf<T> = T & {
  /** Its request was sent after the step. */
  isLater?: true;
};

/**
 * Turns as they were then: without answers that came later, and without results that later requests told the model.
 * @param turns in order
 * @param timeOfStep undefined for now
 */
export function conversationAsOf<T extends Turn>(turns: readonly T[], timeOfStep: string | undefined): TurnAsOf<T>[] {
  if (timeOfStep === undefined) return [...turns];
  const at = Date.parse(timeOfStep);
  return turns.map((turn, index) => {
    const startedAt = Date.parse(turn.startedAt);
    if (startedAt > at) return { ...withoutAnswer(turn), isLater: true };
    if (startedAt + (turn.durationMs ?? 0) > at) return withoutAnswer(turn);
    const next = turns[index + 1];
    const isTold = next?.elementInstanceID !== turn.elementInstanceID || Date.parse(next.startedAt) <= at;
    return isTold ? turn : { ...turn, toolCalls: turn.toolCalls.map(withoutResult) };
  });
}

function withoutAnswer<T extends Turn>(turn: T): T {
  const asked = { ...turn, toolCalls: [] };
  for (const name of ['text', 'failure', 'valuesOmitted', 'durationMs', 'inputTokens', 'outputTokens', 'cost'] as const)
    delete asked[name];
  return asked;
}

function withoutResult<C extends Turn['toolCalls'][number]>(call: C): C {
  const called = { ...call };
  delete called.result;
  delete called.approved;
  return called;
}
