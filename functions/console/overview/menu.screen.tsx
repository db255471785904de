import { page, type Screen } from '../pages/screen.ts';

/** The side bar as a page of its own, for narrow windows. */
export const menuScreen: Screen = () => page('Menu', <h1 class="hidden">Menu</h1>);
