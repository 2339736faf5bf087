import { expect, it } from 'vitest';
import { writeLines } from '../../packages/cli/lists/lines.js';

function terminal() {
  const out: string[] = [];
  return { json: false, out, write: (line: string) => void out.push(line), complain: () => undefined };
}

const bytes = new TextEncoder().encode('{"actor":"zoë"}\n{"actor":"bo"}\n');

it('the output writes each line of a stream once, wherever its parts are cut', async () => {
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const said = terminal();
    await writeLines(said, ReadableStream.from([bytes.slice(0, cut), bytes.slice(cut)]) as ReadableStream<Uint8Array>);
    expect(said.out).toEqual(['{"actor":"zoë"}', '{"actor":"bo"}']);
  }
});

it('the output fails when the connection breaks, and never writes a part of a line', async () => {
  const said = terminal();
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.slice(0, 20));
    },
    pull(controller) {
      controller.error(new TypeError('terminated'));
    },
  });
  await expect(writeLines(said, broken)).rejects.toThrow('terminated');
  for (const line of said.out) expect(JSON.parse(line)).toEqual({ actor: 'zoë' });
});
