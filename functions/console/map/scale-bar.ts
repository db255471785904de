import { countText } from '../components/quantities.ts';

export interface ScaleBar {
  readonly pixels: number;
  readonly label: string;
}

/** Returns the longest bar of at most this many pixels whose length is 1, 2 or 5 times a power of ten. */
export function scaleBar(metersPerPixel: number, pixelsMax = 120): ScaleBar {
  const most = metersPerPixel * pixelsMax;
  const power = 10 ** Math.floor(Math.log10(most));
  const meters = ([5, 2, 1].find((digit) => digit * power <= most) ?? 1) * power;
  return {
    pixels: meters / metersPerPixel,
    label: meters >= 1_000 ? `${countText(meters / 1_000)} km` : `${countText(meters)} m`,
  };
}
