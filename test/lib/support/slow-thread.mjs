/** A thread for tests that takes long to load, as one with many modules on a busy machine. */
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
await import('./thread.mjs');
