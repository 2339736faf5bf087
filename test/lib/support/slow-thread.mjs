/** A thread for tests that takes a second to load, as one with many modules on a busy machine. */
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
await import('./thread.mjs');
