/** Shows the console to signed-in users, and the reason and next step to others. */
import type { ReactNode } from 'react';
import { Button } from '../../components/basics/button.js';
import { Notice } from '../../components/feedback/notice.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { signIn, signInAgain } from './session.js';
import { useSession } from './use-session.js';

export function SessionGate({ children }: { children: ReactNode }) {
  const session = useSession();
  switch (session.kind) {
    case 'starting':
      return <Notice title="Signing in" busy />;
    case 'signed-out':
      return (
        <Notice
          title="You are signed out"
          action={
            <Button kind="primary" onClick={() => void signIn()}>
              Sign in
            </Button>
          }
        >
          No session data remains in this browser.
        </Notice>
      );
    case 'failed':
      return (
        <Notice
          title="Sign-in failed"
          tone="bad"
          action={
            <Button kind="primary" onClick={() => void signIn()}>
              Try again
            </Button>
          }
        >
          {session.reason} If this persists, ask your administrator to check the issuer (<code>OIDC_ISSUER</code>) and
          the console client.
        </Notice>
      );
    case 'handed-over':
      return <Notice title="You are signed in again">Continue in the original window. You can close this one.</Notice>;
    case 'expired':
    case 'signed-in':
      // The screen stays as it is, including entered text.
      return (
        <>
          {children}
          {session.kind === 'expired' && (
            <Dialog
              title="Your session has expired"
              isRequired
              onClose={() => undefined}
              footer={
                <Button kind="primary" onClick={() => void signInAgain()}>
                  Sign in again
                </Button>
              }
            >
              Nothing was changed. Sign in again in a separate window: your input stays here.
              {session.reason && ` Sign-in failed: ${session.reason}`}
            </Dialog>
          )}
        </>
      );
  }
}
