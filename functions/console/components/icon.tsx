/** The paths of the icons, in a square of 16. */
const DRAWINGS = {
  check: 'm3.5 8.5 3 3 6-7',
  cross: 'm4 4 8 8M12 4l-8 8',
  dot: 'M10.6 8a2.6 2.6 0 1 1-5.2 0 2.6 2.6 0 0 1 5.2 0Z',
  clock: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2Zm0 2.6V8l2.2 1.6',
  warning: 'M8 2.5 14.2 13H1.8L8 2.5Zm0 4v3m0 1.8v.1',
  info: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2Zm0 5.4v3.2m0-5.6v.1',
  pause: 'M5.5 3.5v9m5-9v9',
  copy: 'M5.5 5.5V3h7.5v7.5h-2.5M3 5.5h7.5V13H3Z',
  replay: 'M3.2 8a4.8 4.8 0 1 0 1.6-3.6M3 2.5v2.7h2.7',
  down: 'M8 2.5v8m-3.2-3L8 10.7l3.2-3.2M3 13.5h10',
  plus: 'M8 3.5v9M3.5 8h9',
} as const;

export type IconName = keyof typeof DRAWINGS;

/** An icon beside a text with the same meaning. It does not use `use`, which `setHTML` removes from refreshed parts. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={DRAWINGS[name]} />
    </svg>
  );
}
