import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

if (process.argv[2] === 'child') {
  const { examineImage } = await import('/work/wt/rsig/functions/images/examination/examine-image.sharp.ts');
  const { TesseractOcr } = await import('/work/wt/rsig/functions/images/ocr/ocr.tesseract.ts');
  const ocr = new TesseractOcr({ timeLimitMs: 15000 });
  const bytes = readFileSync(process.argv[3]!);
  const c = process.cpuUsage(),
    t = performance.now();
  let out: any;
  try {
    out = await examineImage(bytes, {
      validationType: 'receipt',
      country: 'MY',
      timeLimitMs: 30000,
      parts: { ocr, clock: () => performance.now() },
    });
  } catch (e) {
    out = { THROWN: String(e) };
  }
  const u = process.cpuUsage(c);
  await ocr.close();
  console.log(
    JSON.stringify({
      f: process.argv[3]!.split('/').at(-1),
      rss: Math.round(process.resourceUsage().maxRSS / 1024),
      ms: Math.round(performance.now() - t),
      cpu: Math.round((u.user + u.system) / 1000),
      kb: Math.round(bytes.length / 1024),
      out: {
        ...out,
        receipt: out.receipt && {
          d: out.receipt.date,
          t: out.receipt.total,
          n: out.receipt.items.length,
          doubts: out.receipt.doubts.join(),
        },
        likeness: out.likeness?.slice(0, 6),
      },
    }),
  );
} else {
  const d = '/tmp/sig/hostile/';
  const only = process.argv[2];
  for (const n of readdirSync(d)) {
    if (only && !n.includes(only)) continue;
    try {
      console.log(
        execFileSync(process.execPath, [process.argv[1]!, 'child', d + n], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        }).trim(),
      );
    } catch (e: any) {
      console.log(n, 'CRASHED', e.status, e.signal, String(e.stderr).slice(0, 600));
    }
  }
}
