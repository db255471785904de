import { readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { cutEdges } from '/work/wt/rsig/functions/images/pictures/cut-edges.ts';
import { greyOf, openPicture, rawGrey } from '/work/wt/rsig/functions/images/pictures/open-picture.sharp.ts';

const dir = '/work/shared/data/receipts/';
const names = readdirSync(dir).filter((n) => n.endsWith('.jpg'));
const got: any = { whole: [], left: [], right: [], top: [], bottom: [] };
let ms = 0,
  n = 0;
const step = Number(process.argv[2] ?? 1);
const f = (x: number) => x.toFixed(2);
for (const [i, name] of names.entries()) {
  if (i % step) continue;
  const p = await openPicture(readFileSync(dir + name));
  if (typeof p === 'string') continue;
  const page = p.pages[0]!;
  const small = await greyOf(rawGrey(page).resize({ width: 1000, height: 6000, fit: 'inside' }));
  const t = performance.now();
  const s = cutEdges(small);
  ms += performance.now() - t;
  n++;

  if (s.length) console.log(name, String(s));
  got.whole.push(s.length);
  // print bounds by ink profile
  const w = small.width,
    h = small.height;
  const cols = new Float64Array(w),
    rows = new Float64Array(h);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++)
      if (small.pixels[y * w + x]! < 130) {
        cols[x]!++;
        rows[y]!++;
      }
  const bound = (a: Float64Array, q: number) => {
    const tot = a.reduce((x, y) => x + y, 0);
    let s = 0;
    for (let k = 0; k < a.length; k++) {
      s += a[k]!;
      if (s > q * tot) return k;
    }
    return a.length - 1;
  };
  const [x0, x1, y0, y1] = [bound(cols, 0.02), bound(cols, 0.98), bound(rows, 0.02), bound(rows, 0.98)];
  const cuts = {
    left: [x0 + Math.round(0.1 * (x1 - x0)), 0, w, h],
    right: [0, 0, x1 - Math.round(0.08 * (x1 - x0)), h],
    top: [0, y0 + Math.round(0.15 * (y1 - y0)), w, h],
    bottom: [0, 0, w, y1 - Math.round(0.2 * (y1 - y0))],
  } as const;
  for (const [edge, [a, b, c, d]] of Object.entries(cuts)) {
    const sub = await greyOf(
      rawGrey(await greyOf(rawGrey(small).extract({ left: a, top: b, width: c - a, height: d - b }))).resize({
        width: 1000,
        height: 6000,
        fit: 'inside',
      }),
    );
    const r = cutEdges(sub) as any;
    got[edge].push(r.includes(edge) ? 1 : 0);
    if (r.some((e: string) => e !== edge)) console.log('  other', name, edge, String(r));
  }
}
for (const [k, v] of Object.entries(got) as any) console.log(k, v.length, v.filter(Boolean).length);
console.log('ms', ms / n);
