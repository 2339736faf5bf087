/**
 * CPU time of the calling thread. Node 20 has it for the whole process only. WASI has a clock for it, which Node
 * answers with `clock_gettime(CLOCK_THREAD_CPUTIME_ID)`; the module below does nothing but read that clock.
 */
import { WASI } from 'node:wasi';

/**
 * (module
 *   (import "wasi_snapshot_preview1" "clock_time_get" (func (param i32 i64 i32) (result i32)))
 *   (memory (export "memory") 1)
 *   (func (export "_start"))
 *   (func (export "now") (result i64)
 *     (drop (call 0 (i32.const 3) (i64.const 0) (i32.const 0))) (i64.load (i32.const 0))))
 */
function moduleBytes(): Uint8Array<ArrayBuffer> {
  const name = (text: string) => [text.length, ...Buffer.from(text)];
  const section = (id: number, content: readonly number[]) => [id, content.length, ...content];
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const start = [2, 0, 0x0b];
  const now = [16, 0, 0x41, 3, 0x42, 0, 0x41, 0, 0x10, 0, 0x1a, 0x41, 0, 0x29, 3, 0, 0x0b];
  return new Uint8Array([
    ...header,
    ...section(1, [3, 0x60, 3, 0x7f, 0x7e, 0x7f, 1, 0x7f, 0x60, 0, 0, 0x60, 0, 1, 0x7e]),
    ...section(2, [1, ...name('wasi_snapshot_preview1'), ...name('clock_time_get'), 0, 0]),
    ...section(3, [2, 1, 2]),
    ...section(5, [1, 0, 1]),
    ...section(7, [3, ...name('memory'), 2, 0, ...name('_start'), 0, 1, ...name('now'), 0, 2]),
    ...section(10, [2, ...start, ...now]),
  ]);
}

/** Its types come with those of browsers only. */
interface WasmApi {
  compile(bytes: Uint8Array<ArrayBuffer>): Promise<object>;
  instantiate(module: object, imports: object): Promise<{ readonly exports: Record<string, unknown> }>;
}

/** @returns a function that returns the CPU time of this thread, in milliseconds */
export async function threadCpuClock(): Promise<() => number> {
  const wasi = new WASI({ version: 'preview1' });
  const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: WasmApi };
  const instance = await wasm.instantiate(await wasm.compile(moduleBytes()), wasi.getImportObject());
  wasi.start(instance);
  const now = instance.exports['now'] as () => bigint;
  return () => Number(now()) / 1e6;
}
