const WIDTH = 30;

/** A bar on a terminal. Elsewhere nothing: only results are printed there, as plain lines. */
export function progressBar(label: string, out: NodeJS.WriteStream = process.stderr) {
  let isShown = false;
  return {
    /** @param part from 0 to 1. */
    show(part: number): void {
      if (!out.isTTY) return;
      const share = Math.min(1, Math.max(0, part));
      const full = Math.round(share * WIDTH);
      const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full);
      out.write(`\r${label} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %`);
      isShown = true;
    },
    end(): void {
      if (!isShown) return;
      out.write(`\r${' '.repeat(label.length + WIDTH + 7)}\r`);
    },
  };
}
