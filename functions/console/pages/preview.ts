import type { Screen } from './screen.ts';

/** Screens that take a form and change nothing: the form can be sent again. */
const previews = new WeakSet<Screen>();

/** Marks a screen that shows what a form would give. */
export function previewing(screen: Screen): Screen {
  previews.add(screen);
  return screen;
}

export const isPreview = (screen: Screen): boolean => previews.has(screen);
