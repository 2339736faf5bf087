/**
 * Flags of the Node processes that run the host; the Dockerfile repeats them. New objects of a busy host live for a request
 * or a workflow task. In V8's default space for them (16 MB), half survive a collection and are copied; in 32 MB, few
 * do, for at most 48 MB more memory per thread. That saves a tenth of Node's CPU (docs/performance.md).
 */
export const nodeFlags = ['--enable-source-maps', '--max-semi-space-size=32'];
