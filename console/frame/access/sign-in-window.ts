/**
 * A separate window for signing in while the page stays as it is. The opener policy of the console isolates the two
 * windows, so the provider's response arrives over a channel of this origin. The response is useless to others, because
 * only the page knows the verifier of its code.
 */
import type { INavigator, NavigateResponse } from 'oidc-client-ts';
import { answers, expectAnswerOf } from './answer.js';

/** The browser opens no windows for this page. */
export class WindowRefused extends Error {}

const channelName = 'perdure.sign-in';
const features = 'popup,width=520,height=700';

export function signInWindow(issuer: string): INavigator {
  return {
    // Opened before any await, because browsers allow windows only in response to a click.
    prepare: async () => {
      const opened = window.open('about:blank', '_blank', features);
      if (opened === null)
        throw new WindowRefused('The browser blocked the sign-in window. Allow pop-ups for this site.');
      return {
        async navigate({ url, state }) {
          opened.location.replace(url);
          const answer = await answerTo(state);
          expectAnswerOf(issuer, answer.url);
          return answer;
        },
        close: () => opened.close(),
      };
    },
    callback: async () => undefined,
  };
}

/** Sends the provider's response to the window that waits for it, and closes this one if the browser permits. */
export function handOver(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(window.location.href);
  channel.close();
  window.close();
}

function answerTo(state: string | undefined): Promise<NavigateResponse> {
  const channel = new BroadcastChannel(channelName);
  return new Promise((resolve) => {
    channel.onmessage = ({ data: url }: MessageEvent<string>) => {
      if (!answers(url, state)) return;
      channel.close();
      resolve({ url });
    };
  });
}
