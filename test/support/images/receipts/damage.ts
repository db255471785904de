import type { GreyImage } from '../../../../functions/images/pictures/grey-image.ts';
import { greyOf, rawGrey } from '../../../../functions/images/pictures/open-picture.sharp.ts';
import type { Random } from '../../../bench/records/generated-businesses.ts';
import { type Corners, ontoSheet, warped } from './warp.ts';

/** One thing that happens to a page between the till and the file. */
export type Damage = (page: GreyImage, random: Random) => GreyImage | Promise<GreyImage>;

export const all =
  (...damages: readonly Damage[]): Damage =>
  async (page, random) => {
    let damaged = page;
    for (const damage of damages) damaged = await damage(damaged, random);
    return damaged;
  };

const repainted = (page: GreyImage, grey: (x: number, y: number, before: number) => number): GreyImage => {
  const pixels = new Uint8Array(page.pixels.length);
  for (let y = 0, at = 0; y < page.height; y += 1) {
    for (let x = 0; x < page.width; x += 1, at += 1) {
      pixels[at] = Math.max(0, Math.min(255, Math.round(grey(x, y, page.pixels[at]!))));
    }
  }
  return { ...page, pixels };
};

export const noise =
  (sigma: number): Damage =>
  (page, random) =>
    // The sum of four even numbers is nearly normal, with a variance of 1/3.
    repainted(page, (_x, _y, before) => {
      const sum = random.next() + random.next() + random.next() + random.next() - 2;
      return before + sum * sigma * Math.sqrt(3);
    });

export const blur =
  (sigma: number): Damage =>
  (page) =>
    greyOf(rawGrey(page).blur(sigma));

/** To either side. */
export const lean =
  (degrees: number): Damage =>
  (page, random) => {
    const background = random.pick(['#ffffff', '#f4f4f4', '#e6e6e6']);
    return greyOf(rawGrey(page).rotate(random.chance(0.5) ? degrees : -degrees, { background }));
  };

export const quarterTurns =
  (turns: number): Damage =>
  (page) =>
    greyOf(rawGrey(page).rotate(90 * turns));

export const smaller =
  (factor: number): Damage =>
  (page) =>
    greyOf(rawGrey(page).resize({ width: Math.round(page.width * factor) }));

/** Heat and light: thermal print fades unevenly and the paper darkens. */
export const fade =
  (contrast: number): Damage =>
  (page, random) => {
    const waves = wavesOf(random, 3, page.height);
    return repainted(page, (x, y, before) => 232 - (255 - before) * contrast * (1 + 0.2 * waves(x, y)));
  };

/** A hand or a telephone between lamp and paper: a soft edge across the page. */
export const shadow =
  (depth: number): Damage =>
  (page, random) => {
    const angle = random.next() * 2 * Math.PI;
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    const reach = Math.abs(dx) * page.width + Math.abs(dy) * page.height;
    const soft = reach * (0.03 + 0.07 * random.next());
    const offset = (random.next() - 0.5) * 0.4 * reach;
    return repainted(page, (x, y, before) => {
      const along = (x - page.width / 2) * dx + (y - page.height / 2) * dy - offset;
      return before * (1 - depth / (1 + Math.exp(-along / soft)));
    });
  };

/** Paper that was crushed and smoothed again: lines wander, and slopes are darker or brighter. */
export const crumple =
  (strength: number): Damage =>
  (page, random) => {
    const waves = [wavesOf(random, 5, page.width), wavesOf(random, 5, page.width)] as const;
    const amplitude = strength * page.width;
    const moved = warped(page, {
      ...page,
      source: (x, y) => [x + amplitude * waves[0](x, y), y + amplitude * waves[1](x, y)],
      outside: () => 225,
    });
    return repainted(moved, (x, y, before) => before * (0.92 + 0.08 * waves[0](x * 1.7, y * 1.3)));
  };

/** A photograph of the page as it lies on a table; `tilt` is how far a corner moves, as a part of the page's width. */
export const onTable =
  (tilt: number): Damage =>
  (page, random) => {
    const [side, ends] = [page.width * (0.08 + 0.15 * random.next()), page.height * (0.03 + 0.06 * random.next())];
    const [width, height] = [Math.round(page.width + 2 * side), Math.round(page.height + 2 * ends)];
    const moved = () => (random.next() - 0.5) * 2 * tilt * page.width;
    const corner = (x: number, y: number) =>
      [Math.max(2, Math.min(width - 3, x + moved())), Math.max(2, Math.min(height - 3, y + moved()))] as const;
    const corners: Corners = [
      corner(side, ends),
      corner(width - side, ends),
      corner(width - side, height - ends),
      corner(side, height - ends),
    ];
    const [base, grain] = [35 + random.below(80), wavesOf(random, 4, page.width / 2)];
    return warped(page, {
      width,
      height,
      source: ontoSheet(corners, page.width, page.height),
      outside: (x, y) => base + 12 * grain(x / 6, y) + 6 * grain(x, y * 3),
    });
  };

/** What the frame left out, as a part of the width or height. */
export const crop =
  (edge: 'left' | 'right' | 'top' | 'bottom', part: number): Damage =>
  (page) => {
    const [across, down] = [Math.round(page.width * part), Math.round(page.height * part)];
    const sides = edge === 'left' || edge === 'right';
    return greyOf(
      rawGrey(page).extract({
        left: edge === 'left' ? across : 0,
        top: edge === 'top' ? down : 0,
        width: page.width - (sides ? across : 0),
        height: page.height - (sides ? 0 : down),
      }),
    );
  };

/** A camera's own sharpening and small contrast, after which noise and edges look as telephones store them. */
export const developed: Damage = (page) => greyOf(rawGrey(page).sharpen({ sigma: 1 }));

/** Smooth and between -1 and 1, with waves of about a third of `length` and longer. */
function wavesOf(random: Random, count: number, length: number): (x: number, y: number) => number {
  const waves = Array.from({ length: count }, () => {
    const [angle, phase] = [random.next() * Math.PI, random.next() * 2 * Math.PI];
    const frequency = ((1 + 2 * random.next()) * 2 * Math.PI) / length;
    return [Math.cos(angle) * frequency, Math.sin(angle) * frequency, phase] as const;
  });
  return (x, y) => {
    let sum = 0;
    for (const [dx, dy, phase] of waves) sum += Math.sin(x * dx + y * dy + phase);
    return sum / count;
  };
}
