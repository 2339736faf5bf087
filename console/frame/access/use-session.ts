import { useSyncExternalStore } from 'react';
import { currentSession, subscribeToSession } from './session.js';
import type { Session } from './session.js';

export function useSession(): Session {
  return useSyncExternalStore(subscribeToSession, currentSession);
}
