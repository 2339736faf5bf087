/** A thread for tests whose script cannot be loaded. */
throw new Error('the script is broken');
