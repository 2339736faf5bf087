/** The provider's response, as it appears in the redirect address of the browser. */

/** Travels with a request whose answer is for the window that opened this one. */
export const forOtherWindow = 'other-window';

export function isForOtherWindow(address: string): boolean {
  return stateOf(address)?.endsWith(`;${forOtherWindow}`) ?? false;
}

/** Whether it answers the request that was sent with this state. */
export function answers(address: string, state: string | undefined): boolean {
  return stateOf(address)?.split(';')[0] === state;
}

/** @throws when a provider that names itself (RFC 9207) is not the one that was asked */
export function expectAnswerOf(issuer: string, address: string): void {
  const found = new URL(address).searchParams.get('iss');
  if (found !== null && found !== issuer)
    throw new Error(`Expected a response from ${issuer}, but got one from ${found}.`);
}

function stateOf(address: string): string | null {
  return new URL(address).searchParams.get('state');
}
