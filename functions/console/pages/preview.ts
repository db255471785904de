import type { Screen } from './screen.ts';

/** Screens that accept a form but change nothing, so that it can be sent again. */
const previews = new WeakSet<Screen>();

/** Marks a screen as the preview of a form. */
export function previewing(screen: Screen): Screen {
  previews.add(screen);
  return screen;
}

export const isPreview = (screen: Screen): boolean => previews.has(screen);
