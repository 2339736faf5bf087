import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Application } from './application.js';
import { screenAt } from './screens/index.js';

/** Renders the console for the signed-in user, or the sign-in page. */
export function start(): void {
  createRoot(document.getElementById('application')!).render(
    <StrictMode>
      <Application />
    </StrictMode>,
  );
}

/** Fetches code and data of the screen at an address, before the first render. */
export function loadScreenOf(address: string): void {
  // When the screen is shown, a failed load is repeated and its error shown.
  screenAt(new URL(address, window.location.origin).pathname)
    ?.screen.load()
    .catch(() => undefined);
}
