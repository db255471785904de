import sharp from 'sharp';
import { Random } from '../../../bench/records/generated-businesses.ts';

const [ACROSS, DOWN] = [24, 32];

/** A small sharp picture of grey blocks, unlike that of any other seed: what is cheap to draw and to examine. */
export function blocksOfSeed(seed: number): Promise<Buffer> {
  const random = new Random(seed);
  const greys = Uint8Array.from({ length: ACROSS * DOWN }, () => random.below(256));
  return sharp(greys, { raw: { width: ACROSS, height: DOWN, channels: 1 } })
    .resize(ACROSS * 20, DOWN * 20, { kernel: 'nearest' })
    .png()
    .toBuffer();
}
