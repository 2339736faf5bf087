/** The end of all that the modeler stores in this browser. The frame loads it, and nothing else of the modeler. */

export const DATABASE = 'perdure.modeler';

let isForgotten = false;

/** Removes what all people stored: the next one must not find it in this browser. This page stores no more. */
export function forgetCopies(): void {
  isForgotten = true;
  // Without storage there is nothing to remove.
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(DATABASE);
}

/** Whether this page stores no more. */
export function storesNothing(): boolean {
  return isForgotten;
}
