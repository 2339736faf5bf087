/** The provider's response in the redirect address of the browser. */

/** The state of a request whose response is for the window that opened this one. */
export const forOtherWindow = 'other-window';

export function isForOtherWindow(address: string): boolean {
  return stateOf(address)?.endsWith(`;${forOtherWindow}`) ?? false;
}

/** Whether it is the response to the request with this state. */
export function answers(address: string, state: string | undefined): boolean {
  return stateOf(address)?.split(';')[0] === state;
}

/** @throws when the response names another provider (RFC 9207) */
export function expectAnswerOf(issuer: string, address: string): void {
  const found = new URL(address).searchParams.get('iss');
  if (found !== null && found !== issuer)
    throw new Error(`Expected a response from ${issuer}, but got one from ${found}.`);
}

function stateOf(address: string): string | null {
  return new URL(address).searchParams.get('state');
}
